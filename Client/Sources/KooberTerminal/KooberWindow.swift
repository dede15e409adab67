import Foundation
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal

/// Koober on a terminal, in any architecture. Draws the app's screen and turns keys into intentions.
///
///     let window = KooberWindow(app, redraw: { loop.setNeedsDrawing() }, quit: { loop.stop() })
///     Task { await window.follow() }
///     app.start()
@MainActor
public final class KooberWindow: TerminalContent {
    /// The width from which the map stands next to the elements.
    private static let wide = 100
    private static let panelColumns = 46
    /// The greatest width of elements without a map.
    private static let widest = 80
    private static let widestAlert = 60

    public let minimumSize = TerminalSize.smallest

    private let app: any KooberApp
    private let language: Language
    private let recorder: RecordingPanel?
    private let animation: Animation
    /// Waits for a pause in typing, so that not every letter costs a request.
    private let search: Delay
    private let silence: Delay
    private let resized: @MainActor (WindowSize) -> Void
    private let quit: @MainActor () -> Void
    private var screen: KooberScreen?
    private var isWideNow = false
    private var content = PageState()
    private var profile = PageState()
    /// A question of this window, and the intention that a yes performs.
    private var question: (alert: Alert, intention: Intention?)?

    /// - Parameters:
    ///   - recording: shown in a panel, which Ctrl-T opens and closes.
    ///   - export: writes an exported recording, and returns the name of the file.
    ///   - resized: called with the size of each drawing.
    ///   - clock: times animations and pauses in typing.
    ///   - redraw: called when the drawing has changed.
    ///   - quit: called when the user leaves.
    public init(
        _ app: any KooberApp, language: Language = .english, recording: (any Recording)? = nil,
        export: @escaping @MainActor (Data) throws -> String = { _ in "" },
        resized: @escaping @MainActor (WindowSize) -> Void = { _ in },
        clock: any Clock<Duration> = ContinuousClock(), redraw: @escaping @MainActor () -> Void,
        quit: @escaping @MainActor () -> Void
    ) {
        self.app = app
        self.language = language
        self.resized = resized
        self.quit = quit
        recorder = recording.map { RecordingPanel($0, language: language, export: export) }
        animation = Animation(clock: clock, redraw: redraw)
        search = Delay(.milliseconds(300), clock: clock)
        silence = Delay(.seconds(20), clock: clock)
    }

    /// Shows each screen of the app, until the app is deallocated or the task is cancelled.
    public func follow() async {
        for await screen in app.screens() { show(screen) }
    }

    /// Shows a screen, for a drawing without an app.
    public func show(_ screen: KooberScreen) {
        let before = self.screen
        if before.map({ Page.Kind($0.content) }) != Page.Kind(screen.content) {
            content = PageState()
            search.cancel()
            question = nil
        }
        if screen.profile == nil { profile = PageState() }
        content.update(with: screen)
        if screen.error != nil || question?.intention.map(screen.offers) == false { question = nil }
        self.screen = screen
        watchForSilence(screen)
        animation.redraw()
    }

    /// A kangaroo reports every second while it moves, and waits up to a quarter of a minute at the pick-up.
    private func watchForSilence(_ screen: KooberScreen) {
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
        if let recorder, recorder.press(key) { return animation.redraw() }
        if let alert = alert(screen) { return alert.press(key) }
        let state = screen.profile == nil ? content : profile
        let page = page(screen, state)
        let query = state.form[Page.queryField]
        // A letter typed among the results continues the search.
        if page.isList, case .character(let character) = key, character != " ", !state.form.isWriting(page.elements) {
            state.form.focus(on: Page.queryField)
        }
        if page.isEnabled, state.form.press(key, page.elements) {
            if state.form[Page.queryField] != query { searchAfterPause(state.form) }
            return
        }
        if key.isBack, let wayBack = screen.wayBack { return perform(wayBack) }
        switch key {
        case .character("p"), .control("p"): perform(.showProfile)
        case .escape, .character("q"): askToLeave()
        default: break
        }
    }

    /// Ignores an intention that the app no longer offers: its screen may have changed since the last drawing.
    private func perform(_ intention: Intention) {
        search.cancel()
        try? app.perform(intention)
    }

    private func searchAfterPause(_ form: Form) {
        search.wait { [weak self, weak form] in
            guard let self, let form else { return }
            perform(.searchDropoffs(form[Page.queryField]))
        }
    }

    private func askToLeave() {
        ask(PageQuestion(text: .askToLeave, yes: .leave, no: .stay), isFinal: false, action: quit)
    }

    private func ask(
        _ question: PageQuestion, isFinal: Bool, about intention: Intention? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        let alert = Alert.question(
            language.text(question.text), yes: language.text(question.yes), no: language.text(question.no),
            isFinal: isFinal
        ) { [weak self] isConfirmed in
            self?.question = nil
            if isConfirmed { action() }
        }
        self.question = (alert, intention)
        animation.redraw()
    }

    // MARK: - Drawing

    private func page(_ screen: KooberScreen, _ state: PageState) -> Page {
        let context = PageContext(
            state: state, language: language, isWide: isWideNow, perform: { [weak self] in self?.perform($0) },
            ask: { [weak self] question, intention in
                self?.ask(question, isFinal: true, about: intention) { self?.perform(intention) }
            })
        return screen.profile.map { .profile($0, context) } ?? Page(screen.content, context)
    }

    /// An error of the app comes before a question of this window.
    private func alert(_ screen: KooberScreen) -> Alert? {
        guard let error = screen.error else { return question?.alert }
        return Alert(
            text: [
                StyledText(language.text(error.title), .bold), StyledText(language.text(error.message)), "",
                StyledText("[ \(language.text(.ok)) ]", .reversed),
            ],
            style: .red,
            choices: [
                Alert.Choice(keys: [.enter, .escape, .character(" ")], label: "Enter", meaning: language.text(.ok)) {
                    [weak self] in self?.perform(.acknowledgeError)
                }
            ])
    }

    private func hints(_ screen: KooberScreen, _ page: Page, _ form: Form) -> [KeyHint] {
        if let recorder, recorder.isOpen { return recorder.hints }
        if let alert = alert(screen) { return alert.choices.map(\.hint) }
        let isWriting = page.isEnabled && (page.isList || form.isWriting(page.elements))
        var hints = page.isEnabled ? page.hints : []
        if screen.offers(.showProfile) { hints.append((isWriting ? "Ctrl-P" : "p", language.text(.profile))) }
        hints.append(("Esc", language.text(screen.wayBack == nil ? .leave : .back)))
        return hints
    }

    public func draw(on canvas: inout Canvas) {
        let (top, below) = canvas.area.split(top: 1)
        resized(WindowSize(columns: canvas.area.width, rows: canvas.area.height))
        guard let screen else { return }
        isWideNow = below.width >= Self.wide
        let state = screen.profile == nil ? content : profile
        let page = page(screen, state)
        Row(
            StyledText(" Koober", .bold) + "  \(page.title)",
            StyledText(screen.isOffline ? "\(language.text(.offline)) " : ""), style: .reversed
        ).draw(on: &canvas, in: top)
        let hints = KeyHints(hints(screen, page, state.form))
        let hintRows = hints.height(width: below.width)
        let (body, last) = below.split(top: below.height - hintRows)
        hints.draw(on: &canvas, in: last)
        // The activity has a row at all times, so that nothing moves when it starts or ends.
        let (middle, activity) = body.split(top: body.height - 1)
        if let recorder, recorder.isOpen {
            Row(recorder.text, style: .yellow).draw(on: &canvas, in: activity)
        } else if let doing = page.activity {
            Row(animation.spinner(doing)).draw(on: &canvas, in: activity)
        }
        draw(page, state.form, on: &canvas, in: middle)
        if let alert = alert(screen) { draw(alert.block, over: body, on: &canvas) }
    }

    private func draw(_ page: Page, _ form: Form, on canvas: inout Canvas, in area: Area) {
        let isWide = area.width >= Self.wide
        guard let map = page.map, isWide || page.hasRoomForMap else {
            return form.draw(page.elements, on: &canvas, in: area.split(left: Self.widest).0)
        }
        if isWide {
            let (panel, rest) = area.split(left: Self.panelColumns)
            form.draw(page.elements, on: &canvas, in: panel)
            map.draw(on: &canvas, in: rest, language)
        } else {
            let (upper, panel) = area.split(top: area.height - min(page.rows, area.height / 2))
            map.draw(on: &canvas, in: upper, language)
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

/// The panel of a recording.
@MainActor
private final class RecordingPanel {
    private let recording: any Recording
    private let language: Language
    private let export: @MainActor (Data) throws -> String
    private(set) var isOpen = false
    private var notice: Phrase?

    init(
        _ recording: any Recording, language: Language, export: @escaping @MainActor (Data) throws -> String
    ) {
        self.recording = recording
        self.language = language
        self.export = export
    }

    var text: StyledText {
        let (step, last) = recording.position
        let place = language.text(.step(step, of: last))
        return StyledText(notice.map(language.text) ?? " \(place)  \(recording.action ?? "")")
    }

    var hints: [KeyHint] {
        [
            ("←", language.text(.back)), ("→", language.text(.forward)), ("e", language.text(.export)),
            ("Ctrl-T", language.text(.present)),
        ]
    }

    /// Takes all keys while it is open.
    func press(_ key: Key) -> Bool {
        guard isOpen || key == .control("t") else { return false }
        notice = nil
        switch key {
        case .control("t"), .escape:
            recording.returnToPresent()
            isOpen = key == .control("t") && !isOpen
        case .left: recording.goBack()
        case .right: recording.goForward()
        case .character("e"):
            notice = (try? export(recording.export())).map(Phrase.exported) ?? .notExported
        default: break
        }
        return true
    }
}

extension RideStatus {
    /// Whether a kangaroo is moving, with or without the rider.
    fileprivate var isUnderWay: Bool { [.accepted, .arriving, .inProgress].contains(self) }
}

/// Runs an action after a pause. Waiting again starts the pause again, and replaces the action.
@MainActor
private final class Delay {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var waiting: Task<Void, Never>?

    init(_ duration: Duration, clock: any Clock<Duration>) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        waiting?.cancel()
    }

    func wait(_ action: @escaping @MainActor () -> Void) {
        cancel()
        waiting = Task { [duration, clock] in
            guard (try? await clock.sleep(for: duration)) != nil, !Task.isCancelled else { return }
            action()
        }
    }

    func cancel() {
        waiting?.cancel()
        waiting = nil
    }
}
