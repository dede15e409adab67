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
    public let minimumSize = TerminalSize.smallest
    /// A search waits for this pause in typing, so that not every letter sends a request.
    private static let pauseInTyping = Duration.milliseconds(300)
    /// A kangaroo reports every second while it moves, and waits up to a quarter of a minute at the pick-up.
    private static let longSilence = Duration.seconds(20)

    private let app: any KooberApp
    private let language: Language
    private let recorder: RecordingPanel?
    private let animation: Animation
    private let clock: any Clock<Duration>
    private let search = LatestTask()
    private let silence = LatestTask()
    private let resized: @MainActor (WindowSize) -> Void
    private let quit: @MainActor () -> Void
    private var screen: KooberScreen?
    /// See `PageContext.rowsNextToMap`.
    private var rowsNextToMap = 0
    private var content = PageState()
    private var profile = PageState()
    /// The state of a page of the past, which does not affect the pages of the present.
    private var past: PageState?
    /// A question of this window, and the intention that “yes” performs.
    private var question: (alert: Alert, intention: Intention?)?

    /// - Parameters:
    ///   - recording: a recording for a panel that Ctrl-T opens and closes.
    ///   - export: writes an exported recording, and returns the name of the file.
    ///   - resized: called with the size of each drawing.
    ///   - clock: times animations and pauses in typing.
    ///   - redraw: called when the drawing has changed.
    ///   - quit: called when the user quits.
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
        self.clock = clock
    }

    /// Shows each screen of the app, until the app is deallocated or the task is cancelled.
    public func follow() async {
        // The app may show another screen by now, and a recording another time.
        for await _ in app.screens() { if let screen = app.screen { show(screen) } }
    }

    /// Shows a screen, for a drawing without an app.
    public func show(_ screen: KooberScreen) {
        self.screen = screen
        past = recorder?.showsPast == true ? PageState(for: screen) : nil
        past?.update(with: screen)
        if past == nil { showPresent(screen) }
        animation.redraw()
    }

    private func showPresent(_ screen: KooberScreen) {
        if content.kind != Page.Kind(screen.content) {
            content = PageState(for: screen)
            search.cancel()
            question = nil
        }
        if screen.profile == nil { profile = PageState() }
        content.update(with: screen)
        if screen.error != nil || question?.intention.map(screen.offers) == false { question = nil }
        watchForSilence(screen)
    }

    private func watchForSilence(_ screen: KooberScreen) {
        silence.cancel()
        content.isSilent = false
        guard case .waitingForPickup(let waiting) = screen.content, waiting.ride.status.isUnderWay else { return }
        silence.run(for: self) { [clock] current in
            guard (try? await clock.sleep(for: Self.longSilence)) != nil, let window = current() else { return }
            window.content.isSilent = true
            window.animation.redraw()
        }
    }

    // MARK: - Keys

    public func press(_ key: Key) {
        guard let screen else { return }
        if let recorder, recorder.press(key) { return animation.redraw() }
        if let alert = alert(screen) { return alert.press(key) }
        let state = state(of: screen)
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
        if key.isBack, let backIntention = screen.backIntention { return perform(backIntention) }
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
        // A form that is sent with the same problems again shows no new screen.
        if let screen = app.screen { content.focusOnProblem(of: screen) }
    }

    private func searchAfterPause(_ form: Form) {
        search.run(for: self) { [clock, weak form] current in
            guard (try? await clock.sleep(for: Self.pauseInTyping)) != nil, let form else { return }
            current()?.perform(.searchDropoffs(form[Page.queryField]))
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

    private func state(of screen: KooberScreen) -> PageState {
        past ?? (screen.profile == nil ? content : profile)
    }

    private func page(_ screen: KooberScreen, _ state: PageState) -> Page {
        let context = PageContext(
            state: state, language: language, rowsNextToMap: rowsNextToMap,
            perform: { [weak self] in self?.perform($0) },
            ask: { [weak self] question, intention in
                self?.ask(question, isFinal: true, about: intention) { self?.perform(intention) }
            })
        return screen.profile.map { .profile($0, context) } ?? Page(screen.content, context)
    }

    /// An error of the app comes before a question of this window.
    private func alert(_ screen: KooberScreen) -> Alert? {
        guard let error = screen.error else { return past == nil ? question?.alert : nil }
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
        if screen.offers(.showProfile) { hints.append((isWriting ? "Ctrl-P" : "p", language.text(.showProfile))) }
        hints.append(("Esc", language.text(screen.backIntention == nil ? .leave : .back)))
        return hints
    }

    public func draw(on canvas: inout Canvas) {
        let size = WindowSize(columns: canvas.area.width, rows: canvas.area.height)
        resized(size)
        guard let screen else { return }
        rowsNextToMap = WindowLayout.rowsNextToMap(in: size)
        let state = state(of: screen)
        let page = page(screen, state)
        let layout = WindowLayout(
            page: page, form: state.form, notice: screen.isOffline ? language.text(.offline) : "",
            activity: activity(of: page), hints: hints(screen, page, state.form), alert: alert(screen)?.block,
            language: language)
        layout.draw(on: &canvas)
    }

    private func activity(of page: Page) -> (any Block)? {
        if let recorder, recorder.isOpen { return recorder.block }
        return page.activity.map { Row(animation.spinner($0)) }
    }
}

extension RideStatus {
    /// Whether a kangaroo is moving, with or without the rider.
    fileprivate var isUnderWay: Bool { [.accepted, .arriving, .inProgress].contains(self) }
}
