import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

/// What the screens of a shop have in common on a terminal: a bar on top, a form to walk through, what is under way or went
/// wrong below it, and at the bottom what the keys do.
///
/// A screen overrides `title`, `elements`, `hints` and, for keys of its own, `pressOwn`.
@MainActor
class TerminalScreen: ShopScreen {
    weak var coordinatingResponder: (any Responder)?
    var status = ShopStatus() { didSet { redraw() } }
    var notice: Notice? { didSet { redraw() } }

    let environment: ScreenEnvironment
    let form = Form()
    /// What was wrong with fields when they were last sent, by the field's name.
    var invalid: [String: String] = [:]
    private var activity: Activity?
    private var alert: Alert?

    init(_ environment: ScreenEnvironment) {
        self.environment = environment
    }

    var title: String { "" }
    var elements: [FormElement] { [] }
    /// Beside those that every screen has.
    var hints: [(key: String, meaning: String)] { [] }

    func appear() {}
    func disappear() {}

    /// - Returns: whether the key means something on this screen alone.
    func pressOwn(_ key: Key) -> Bool { false }

    final func redraw() { environment.redraw() }

    // MARK: - Keys

    /// What leads back to the screen below, or out of what is under way.
    static let back: [Key] = [.escape, .left, .backspace]

    /// - Returns: false for a key that means the same everywhere.
    final func press(_ key: Key) -> Bool {
        if let alert = currentAlert {
            alert.choices.first { $0.keys.contains(key) }?.choose()
            return true
        }
        guard activity?.mode != .committed else { return true }
        if form.press(key, elements) || pressOwn(key) { return true }
        guard let activity, Self.back.contains(key) else { return false }
        activity.task?.cancel()
        return true
    }

    // MARK: - What somebody wants

    /// Does what somebody wants, shows that it is under way, and what went wrong. One thing at a time.
    ///
    /// - Parameters:
    ///   - doing: as in "Signing in".
    ///   - mode: whether it can be given up.
    final func perform(
        _ doing: String, _ mode: Activity.Mode = .usual, _ work: @escaping @MainActor () async throws -> Void
    ) {
        if let activity {
            guard mode == .latest, activity.mode == .latest else { return }
            activity.task?.cancel()
        }
        let activity = Activity(doing, mode)
        self.activity = activity
        activity.task = Task {
            var failure: ScreenFailure?
            do { try await work() } catch { failure = ScreenFailure(showing: error) }
            // Another may have taken its place.
            guard self.activity === activity else { return }
            self.activity = nil
            invalid = [:]
            if let failure { show(failure) { [weak self] in self?.perform(doing, mode, work) } }
            redraw()
        }
        redraw()
    }

    /// Sends one message, as above.
    final func perform<Family>(
        _ doing: String, _ family: Family.Type, _ mode: Activity.Mode = .usual,
        _ message: @escaping @MainActor (Family) async throws -> Void
    ) {
        perform(doing, mode) { [unowned self] in try await send(to: family, message) }
    }

    final func go(to page: ShopPage) {
        perform("Going there", (any NavigationMessages).self) { try await $0.show(page) }
    }

    final func refresh() {
        perform("Looking again", (any RefreshMessages).self) { try await $0.refresh() }
    }

    /// Asks before something that cannot be taken back.
    final func ask(_ question: String, yes: String, _ action: @escaping @MainActor () -> Void) {
        alert = Alert(
            text: [StyledText(question, .bold)], style: .yellow,
            choices: [
                .init(keys: [.enter, .character("y")], label: "Enter", meaning: yes) { [weak self] in
                    self?.dismissAlert()
                    action()
                },
                .init(keys: [.escape, .character("n")], label: "Esc", meaning: "do not") { [weak self] in
                    self?.dismissAlert()
                },
            ])
        redraw()
    }

    private func show(_ failure: ScreenFailure, again: @escaping @MainActor () -> Void) {
        invalid = Dictionary(failure.fields.map { ($0.name, $0.text) }) { first, _ in first }
        if let wrong = failure.fields.first?.name { form.focus(on: wrong) }
        var choices = [
            Alert.Choice(keys: [.enter, .escape], label: "Enter", meaning: "understood") { [weak self] in
                self?.dismissAlert()
            }
        ]
        switch failure.remedy {
        case .retry:
            choices.append(
                .init(keys: [.character("r")], label: "r", meaning: "try again") { [weak self] in
                    self?.dismissAlert()
                    again()
                })
        case .signIn:
            choices.append(
                .init(keys: [.character("s")], label: "s", meaning: "sign in") { [weak self] in
                    self?.dismissAlert()
                    self?.go(to: .signIn)
                })
        case .correct, .review, .none: break
        }
        alert = Alert(
            text: [StyledText(failure.text, .bold)] + (failure.advice.map { [StyledText($0)] } ?? []),
            style: .red, choices: choices)
    }

    private func dismissAlert() {
        alert = nil
        redraw()
    }

    /// What went wrong comes before what is only told.
    private var currentAlert: Alert? {
        if let alert { return alert }
        guard let notice else { return nil }
        return Alert(
            text: [StyledText(notice.text)], style: .yellow,
            choices: [
                .init(keys: [.enter, .escape], label: "Enter", meaning: "understood") { [weak self] in
                    self?.notice = nil
                }
            ])
    }

    // MARK: - Drawing

    final func draw(on canvas: inout Canvas) {
        let (top, below) = canvas.area.split(top: 1)
        StatusBar(title: title, status: status).draw(on: &canvas, in: top)
        let hints = KeyHints(currentHints)
        let hintRows = min(3, hints.height(width: below.width))
        let (middle, bottom) = below.split(top: below.height - hintRows)
        hints.draw(on: &canvas, in: bottom)
        let message = message
        let messageRows = min(message?.height(width: middle.width) ?? 0, middle.height)
        let (body, messageArea) = middle.split(top: middle.height - messageRows)
        form.draw(elements, on: &canvas, in: body)
        message?.draw(on: &canvas, in: messageArea)
    }

    private var message: (any Block)? {
        if let alert = currentAlert { return alert.block }
        return activity.map { Row(environment.animation.spinner($0.doing)) }
    }

    private var currentHints: [(key: String, meaning: String)] {
        if let alert = currentAlert { return alert.choices.map { ($0.label, $0.meaning) } }
        if let activity { return activity.mode == .committed ? [("", "please wait")] : [("Esc", "give up")] }
        if form.isWriting(elements) { return [("Enter", "next"), ("↑↓", "move"), ("Esc", "back")] }
        return hints + [
            ("↑↓", "move"), ("Esc", "back"), ("h", "home"), ("c", "cart"), ("a", "account"), ("o", "orders"),
            ("r", "refresh"), ("q", "leave"),
        ]
    }
}
