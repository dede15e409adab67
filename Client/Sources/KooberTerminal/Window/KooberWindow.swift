import KooberScreens
import PouchEntities
import PouchTerminal

/// Koober on a terminal, in whichever architecture: draws the screen that the app is at, and tells the app what keys want.
@MainActor
public final class KooberWindow: TerminalContent {
    /// Columns from which on the map stands beside the elements.
    private static let wide = 100
    private static let panelColumns = 46
    /// Columns of elements without a map, and of what lies over everything, at most.
    private static let widest = 80
    private static let widestAlert = 60
    private static let mostHintRows = 3
    /// What leads back to the screen before.
    private static let back: [Key] = [.escape, .left, .backspace]

    public let minimumSize = TerminalSize(columns: 48, rows: 14)

    private let app: any KooberApp
    private let animation: Animation
    /// With each pause in what is typed, so that a slow server is not asked about every letter.
    private let search: Delay
    private let silence: Delay
    private let quit: @MainActor () -> Void
    private var screen: KooberScreen?
    private var content = PageState()
    private var profile = PageState()
    /// Something that this window asks, not the app, and what the app is to do if so.
    private var question: (alert: Alert, intention: Intention?)?

    /// - Parameters:
    ///   - clock: for what moves by itself, and for pauses in what is typed.
    ///   - redraw: called when something that is shown has changed.
    ///   - quit: called when the user leaves.
    public init(
        _ app: any KooberApp, clock: any Clock<Duration> = ContinuousClock(),
        redraw: @escaping @MainActor () -> Void, quit: @escaping @MainActor () -> Void
    ) {
        self.app = app
        self.quit = quit
        animation = Animation(clock: clock, redraw: redraw)
        search = Delay(.milliseconds(300), clock: clock)
        silence = Delay(.seconds(20), clock: clock)
    }

    /// Shows each screen of the app, until the app is gone or the task is cancelled.
    public func follow() async {
        for await screen in app.screens() { show(screen) }
    }

    private func show(_ screen: KooberScreen) {
        let before = self.screen
        if before.map({ Page.Kind($0.content) }) != Page.Kind(screen.content) {
            content = PageState()
            search.cancel()
            question = nil
        }
        if screen.profile == nil { profile = PageState() }
        content.follow(screen)
        if screen.error != nil || question?.intention.map(screen.offers) == false { question = nil }
        self.screen = screen
        noticeSilence(screen)
        animation.redraw()
    }

    /// A kangaroo that moves is heard of every second; at the pick-up it waits for a quarter of a minute.
    private func noticeSilence(_ screen: KooberScreen) {
        silence.cancel()
        content.isSilent = false
        guard case .waitingForPickup(let waiting) = screen.content, waiting.ride.status.isUnderWay else { return }
        silence.wait { [weak self] in
            self?.content.isSilent = true
            self?.animation.redraw()
        }
    }

    // MARK: - Keys

    public func press(_ key: Key) {
        guard let screen else { return }
        if let alert = alert(screen) { return alert.press(key) }
        let state = screen.profile == nil ? content : profile
        let page = page(screen, state)
        let query = state.form[Page.queryField]
        // Whoever goes on typing among the results goes on with the search.
        if page.isList, case .character(let character) = key, character != " ", !state.form.isWriting(page.elements) {
            state.form.focus(on: Page.queryField)
        }
        if page.isEnabled, state.form.press(key, page.elements) {
            if state.form[Page.queryField] != query { searchAfterPause(state.form) }
            return
        }
        if Self.back.contains(key), let wayBack = screen.wayBack { return want(wayBack) }
        switch key {
        case .character("p"), .control("p"): want(.showProfile)
        case .escape, .character("q"): askToLeave()
        default: break
        }
    }

    /// What is not offered any more is no longer wanted: the app may have gone on since the screen was drawn.
    private func want(_ intention: Intention) {
        search.cancel()
        try? app.perform(intention)
    }

    private func searchAfterPause(_ form: Form) {
        search.wait { [weak self, weak form] in
            guard let self, let form else { return }
            want(.searchDropoffs(form[Page.queryField]))
        }
    }

    private func ask(
        _ text: String, _ keys: [Key], _ label: String, _ yes: String, about intention: Intention? = nil,
        _ action: @escaping @MainActor () -> Void
    ) {
        let alert = Alert(
            text: [StyledText(text, .bold)], style: .yellow,
            choices: [
                Alert.Choice(keys: keys, label: label, meaning: yes) { [weak self] in
                    self?.question = nil
                    action()
                },
                Alert.Choice(keys: [.escape, .character("n")], label: "Esc", meaning: "do not") { [weak self] in
                    self?.question = nil
                },
            ])
        question = (alert, intention)
        animation.redraw()
    }

    private func askToLeave() {
        ask("Leave Koober?", [.enter, .character("y")], "Enter", "leave", quit)
    }

    // MARK: - What is shown

    private func page(_ screen: KooberScreen, _ state: PageState) -> Page {
        let context = PageContext(
            state: state, want: { [weak self] in self?.want($0) },
            // Enter, which somebody in a hurry presses twice, is no yes.
            ask: { [weak self] question, yes, intention in
                self?.ask(question, [.character("y")], "y", yes, about: intention) { self?.want(intention) }
            })
        return screen.profile.map { .profile($0, context) } ?? Page(screen.content, context)
    }

    /// What the app has to say comes before what is asked here.
    private func alert(_ screen: KooberScreen) -> Alert? {
        guard let error = screen.error else { return question?.alert }
        return Alert(
            text: [StyledText(error.title, .bold), StyledText(error.message), "", StyledText("[ OK ]", .reversed)],
            style: .red,
            choices: [
                Alert.Choice(keys: [.enter, .escape, .character(" ")], label: "Enter", meaning: "OK") {
                    [weak self] in self?.want(.acknowledgeError)
                }
            ])
    }

    private func hints(_ screen: KooberScreen, _ page: Page, _ form: Form) -> [(key: String, meaning: String)] {
        if let alert = alert(screen) { return alert.choices.map(\.hint) }
        let isWriting = page.isEnabled && (page.isList || form.isWriting(page.elements))
        var hints = page.isEnabled ? page.hints : []
        if screen.offers(.showProfile) { hints.append((isWriting ? "Ctrl-P" : "p", "profile")) }
        hints.append(("Esc", screen.wayBack == nil ? "leave" : "back"))
        return hints
    }

    public func draw(on canvas: inout Canvas) {
        let (top, below) = canvas.area.split(top: 1)
        guard let screen else { return }
        let state = screen.profile == nil ? content : profile
        let page = page(screen, state)
        Row(StyledText(" Koober", .bold) + "  \(page.title)", style: .reversed).draw(on: &canvas, in: top)
        let hints = KeyHints(hints(screen, page, state.form))
        let hintRows = min(Self.mostHintRows, hints.height(width: below.width))
        let (body, last) = below.split(top: below.height - hintRows)
        hints.draw(on: &canvas, in: last)
        // Its row is free at all times, so that nothing jumps when something is under way.
        let (middle, activity) = body.split(top: body.height - 1)
        if let doing = page.activity { Row(animation.spinner(doing)).draw(on: &canvas, in: activity) }
        draw(page, state.form, on: &canvas, in: middle)
        if let alert = alert(screen) { draw(alert.block, over: body, on: &canvas) }
    }

    private func draw(_ page: Page, _ form: Form, on canvas: inout Canvas, in area: Area) {
        let isWide = area.width >= Self.wide
        guard let map = page.map, isWide || !page.isList else {
            return form.draw(page.elements, on: &canvas, in: area.split(left: Self.widest).0)
        }
        if isWide {
            let (panel, rest) = area.split(left: Self.panelColumns)
            form.draw(page.elements, on: &canvas, in: panel)
            map.draw(on: &canvas, in: rest)
        } else {
            let (upper, panel) = area.split(top: area.height - min(page.rows, area.height / 2))
            map.draw(on: &canvas, in: upper)
            form.draw(page.elements, on: &canvas, in: panel)
        }
    }

    private func draw(_ block: any Block, over area: Area, on canvas: inout Canvas) {
        let width = min(Self.widestAlert, area.width)
        let height = min(block.height(width: width), area.height)
        let middle = Area(
            x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width, height: height)
        canvas.fill(middle)
        block.draw(on: &canvas, in: middle)
    }
}

extension RideStatus {
    /// Whether a kangaroo is on its way, without or with the rider.
    fileprivate var isUnderWay: Bool { [.accepted, .arriving, .inProgress].contains(self) }
}
