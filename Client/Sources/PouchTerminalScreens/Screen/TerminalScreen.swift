import Foundation
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
    /// Columns of the form at most: on a wide terminal what belongs to a row would stand too far apart to be read as one.
    private static let widest = 100
    private static let mostHintRows = 3

    weak var coordinatingResponder: (any Responder)?
    var status = ShopStatus() { didSet { redraw() } }
    var notices: [Notice] = [] { didSet { redraw() } }

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
            alert.press(key)
            return true
        }
        guard activity?.mode != .committed else { return true }
        if form.press(key, elements) || pressOwn(key) { return true }
        guard let activity, Self.back.contains(key) else { return false }
        activity.task?.cancel()
        return true
    }

    // MARK: - What somebody wants

    /// Whether something is under way, so that what is wanted meanwhile is not begun.
    final var isBusy: Bool { activity != nil }

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

    /// Asks before something that is easily done by mistake.
    ///
    /// - Parameter isFinal: whether it cannot be taken back. Then Enter, which somebody in a hurry presses twice, is no yes.
    final func ask(_ question: String, yes: String, isFinal: Bool = false, _ action: @escaping @MainActor () -> Void) {
        let (keys, label): ([Key], String) =
            isFinal ? ([.character("y")], "y") : ([.enter, .character("y")], "Enter")
        alert = Alert(
            text: [StyledText(question, .bold)], style: .yellow,
            choices: [
                .init(keys: keys, label: label, meaning: yes) { [weak self] in
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
        guard let notice = notices.first else { return nil }
        let more = notices.count - 1
        return Alert(
            text: [StyledText(notice.text)] + (more > 0 ? [StyledText("\(more) more", .dim)] : []), style: .yellow,
            choices: [
                .init(keys: [.enter, .escape], label: "Enter", meaning: "understood") { [weak self] in
                    self?.notices.removeFirst()
                }
            ])
    }

    // MARK: - What was written

    /// The text in a field, without spaces around it.
    final func text(_ field: String) -> String { form[field].trimmingCharacters(in: .whitespaces) }

    /// Whether something stands in all of these fields. Where not, it is said at the first that is empty.
    final func areFilled(_ fields: [String]) -> Bool {
        guard let empty = fields.first(where: { text($0).isEmpty }) else { return true }
        refuse(empty, "This is needed.")
        return false
    }

    /// Says what is wrong with a field, and goes there.
    final func refuse(_ field: String, _ why: String) {
        invalid = [field: why]
        form.focus(on: field)
        redraw()
    }

    // MARK: - Drawing

    final func draw(on canvas: inout Canvas) {
        let (top, below) = canvas.area.split(top: 1)
        StatusBar(title: title, status: status).draw(on: &canvas, in: top)
        let (column, _) = below.split(left: Self.widest)
        let hints = KeyHints(currentHints)
        let hintRows = rows(of: hints, in: below)
        let message = message
        let messageRows = min(message?.height(width: column.width) ?? 0, below.height - hintRows)
        // At least as high as usual, so that the form does not jump whenever something is under way.
        let footRows = max(messageRows + hintRows, rows(of: KeyHints(usualHints), in: below))
        form.draw(elements, on: &canvas, in: column.split(top: column.height - footRows).0)
        let aboveHints = below.height - hintRows
        message?.draw(on: &canvas, in: column.split(top: aboveHints).0.split(top: aboveHints - messageRows).1)
        hints.draw(on: &canvas, in: below.split(top: aboveHints).1)
    }

    private func rows(of hints: KeyHints, in area: Area) -> Int {
        min(Self.mostHintRows, hints.height(width: area.width))
    }

    private var message: (any Block)? {
        if let alert = currentAlert { return alert.block }
        return activity.map { Row(environment.animation.spinner($0.doing)) }
    }

    private var currentHints: [(key: String, meaning: String)] {
        if let alert = currentAlert { return alert.choices.map(\.hint) }
        if let activity { return activity.mode == .committed ? [("", "please wait")] : [("Esc", "give up")] }
        if form.isWriting(elements) { return [("Enter", "next"), ("↑↓", "move"), ("Esc", "back")] }
        return usualHints
    }

    private var usualHints: [(key: String, meaning: String)] {
        hints + [
            ("↑↓", "move"), ("Esc", "back"), ("h", "home"), ("c", "cart"), ("a", "account"), ("o", "orders"),
            ("r", "refresh"), ("q", "leave"),
        ]
    }
}
