import Foundation
import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

/// The base class of the shop's screens on a terminal: a status bar, a form, the activity or message below it, and the
/// key hints in the last rows.
///
/// A screen overrides `title`, `elements`, `hints` and, for its own keys, `pressOwn`.
@MainActor
class TerminalScreen: ShopScreen {
    /// The maximum number of columns of the form. In a wider one, the two ends of a row would be too far apart to be
    /// read together.
    private static let maxWidth = 100
    /// The maximum number of columns of a visitor's name, so that the cart after it remains visible.
    private static let nameColumns = 20

    weak var coordinatingResponder: (any Responder)?
    var status = ShopStatus() { didSet { redraw() } }
    var notices: [Notice] = [] { didSet { redraw() } }

    let environment: ScreenEnvironment
    let form = Form()
    /// The reasons why fields were refused when they were last sent, by the field's name.
    var invalid: [String: String] = [:] {
        didSet { refused = Dictionary(uniqueKeysWithValues: invalid.keys.map { ($0, form[$0]) }) }
    }
    /// The texts that were refused, by the field's name. A field whose text has changed shows no reason.
    private var refused: [String: String] = [:]
    private var activity: Activity?
    private var alert: Alert?

    init(_ environment: ScreenEnvironment) {
        self.environment = environment
    }

    var title: String { "" }
    var elements: [FormElement] { [] }
    /// The hints of this screen, followed by those of all screens.
    var hints: [KeyHint] { [] }

    func appear() {}
    func disappear() {}

    /// Handles a key that only this screen uses.
    ///
    /// - Returns: whether the key was used.
    func pressOwn(_ key: Key) -> Bool { false }

    final func redraw() { environment.redraw() }

    /// Handles a key.
    ///
    /// - Returns: false for a key that the window should handle.
    final func press(_ key: Key) -> Bool {
        if let alert = currentAlert {
            alert.press(key)
            return true
        }
        guard activity?.mode != .committed else { return true }
        if form.press(key, elements) || pressOwn(key) { return true }
        guard let activity, key.isBack else { return false }
        activity.task?.cancel()
        return true
    }

    // MARK: - Activities

    /// Work that a screen waits for.
    @MainActor
    final class Activity {
        enum Mode {
            /// Esc cancels it. Activities that are requested before it ends are ignored.
            case usual
            /// Esc cancels it, and so does the next activity of this mode.
            case latest
            /// It cannot be cancelled, because the server may already have performed it.
            case committed
        }

        let name: String
        let mode: Mode
        var task: Task<Void, Never>?

        init(_ name: String, _ mode: Mode) {
            self.name = name
            self.mode = mode
        }
    }

    /// Whether an activity is running, so that another one would be ignored.
    final var isBusy: Bool { activity != nil }

    /// Runs an activity, shows its name until it ends, and then its failure, if any. Only one runs at a time.
    ///
    /// - Parameters:
    ///   - name: for example "Signing in".
    ///   - mode: whether it can be cancelled.
    ///   - work: sends the messages. It runs again when the user retries.
    ///   - then: called when the work has succeeded, unless a later activity has replaced this one.
    final func perform(
        _ name: String, _ mode: Activity.Mode = .usual, _ work: @escaping @MainActor () async throws -> Void,
        then: @escaping @MainActor () -> Void = {}
    ) {
        if let activity {
            guard mode == .latest, activity.mode == .latest else { return }
            activity.task?.cancel()
        }
        let activity = Activity(name, mode)
        self.activity = activity
        activity.task = Task {
            var failure: ScreenFailure?
            var hasSucceeded = false
            do {
                try await work()
                hasSucceeded = true
            } catch {
                failure = ScreenFailure(showing: error)
            }
            // A later activity may have replaced this one.
            guard self.activity === activity else { return }
            if hasSucceeded { then() }
            self.activity = nil
            invalid = [:]
            if let failure { show(failure) { [weak self] in self?.perform(name, mode, work, then: then) } }
            redraw()
        }
        redraw()
    }

    /// Sends a message as an activity. For a message that holds this screen, use a closure, which does not retain it.
    final func perform(
        _ name: String, _ mode: Activity.Mode = .usual, sending message: some Message, fileID: String = #fileID,
        line: Int = #line, then: @escaping @MainActor () -> Void = {}
    ) {
        perform(name, mode, { [unowned self] in try await send(message, fileID: fileID, line: line) }, then: then)
    }

    final func go(to page: ShopPage) { perform("Opening", sending: page) }

    final func reload() { perform("Refreshing", sending: Refresh()) }

    // MARK: - Alerts

    /// Asks before an action that is easy to start by mistake; see `Alert.question`.
    final func ask(
        _ question: String, yes: String, no: String = "keep it", isFinal: Bool = false,
        _ action: @escaping @MainActor () -> Void
    ) {
        alert = .question(question, yes: yes, no: no, isFinal: isFinal) { [weak self] isConfirmed in
            self?.dismissAlert()
            if isConfirmed { action() }
        }
        redraw()
    }

    private func show(_ failure: ScreenFailure, retry: @escaping @MainActor () -> Void) {
        invalid = Dictionary(failure.fields.map { ($0.name, $0.text) }) { first, _ in first }
        if let wrong = failure.fields.first?.name { form.focus(on: wrong) }
        let dismiss: @MainActor () -> Void = { [weak self] in self?.dismissAlert() }
        var choices = [Alert.Choice.ok(dismiss)]
        func offer(_ key: Character, _ meaning: String, _ action: @escaping @MainActor () -> Void) {
            choices.append(
                .init(keys: [.character(key)], label: String(key), meaning: meaning) {
                    dismiss()
                    action()
                })
        }
        switch failure.remedy {
        case .retry: offer("r", "try again", retry)
        case .signIn: offer("s", "sign in") { [weak self] in self?.go(to: .signIn) }
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

    /// A failure or question, otherwise the first notice.
    private var currentAlert: Alert? {
        if let alert { return alert }
        guard let notice = notices.first else { return nil }
        let more = notices.count - 1
        let dismiss: @MainActor () -> Void = { [weak self] in self?.notices.removeFirst() }
        var choices = [Alert.Choice.ok(dismiss)]
        if let page = notice.page, !isBusy {
            choices.append(
                .init(keys: [.character("g")], label: "g", meaning: "go there") { [weak self] in
                    dismiss()
                    self?.go(to: page)
                })
        }
        return Alert(
            text: [StyledText(notice.text)] + (more > 0 ? [StyledText("\(more) more", .dim)] : []), style: .yellow,
            choices: choices)
    }

    // MARK: - Fields

    /// The text in a field, without spaces at the ends.
    final func text(_ field: String) -> String { form[field].trimmingCharacters(in: .whitespaces) }

    /// Whether all of these fields have a text. If not, refuses the first empty one.
    final func areFilled(_ fields: [String]) -> Bool {
        guard let empty = fields.first(where: { text($0).isEmpty }) else { return true }
        refuse(empty, "This field is required.")
        return false
    }

    /// Shows the reason below a field, and moves the focus there.
    final func refuse(_ field: String, _ reason: String) {
        invalid = [field: reason]
        form.focus(on: field)
        redraw()
    }

    /// The reason why a field was refused; nil once its text has changed.
    final func reason(against field: String) -> String? { refused[field] == form[field] ? invalid[field] : nil }

    // MARK: - Drawing

    final func draw(on canvas: inout Canvas) {
        let (top, below) = canvas.area.split(top: 1)
        statusBar.draw(on: &canvas, in: top)
        let (column, _) = below.split(left: Self.maxWidth)
        let hints = KeyHints(currentHints)
        let hintRows = hints.height(width: below.width)
        let message = message
        let messageRows = min(message?.height(width: column.width) ?? 0, below.height - hintRows)
        // At least as high as without a message, so that the form does not move with each activity.
        let footRows = max(messageRows + hintRows, KeyHints(usualHints).height(width: below.width))
        form.draw(elements, on: &canvas, in: column.split(top: column.height - footRows).0)
        let aboveHints = below.height - hintRows
        message?.draw(on: &canvas, in: column.split(top: aboveHints).0.split(top: aboveHints - messageRows).1)
        hints.draw(on: &canvas, in: below.split(top: aboveHints).1)
    }

    /// The topmost row: the screen's title, the visitor's name, the cart, and whether the shop is offline.
    private var statusBar: Row {
        var facts = status.connectivity == .offline ? ["OFFLINE"] : []
        switch status.visitor {
        case .customer(let profile): facts.append(StyledText(profile.name).truncated(to: Self.nameColumns).plain)
        case .guest: facts.append("guest")
        case .signedOut: break
        }
        facts.append("Cart \(status.cart.unitCount.map { "\($0)" } ?? "–")")
        if status.cart.pendingChanges > 0 { facts.append("\(status.cart.pendingChanges) to send") }
        return Row(
            StyledText(" Pouch", .bold) + "  \(title)", StyledText(facts.joined(separator: " · ") + " "),
            style: .reversed)
    }

    private var message: (any Block)? {
        if let alert = currentAlert { return alert.block }
        return activity.map { Row(environment.animation.spinner($0.name)) }
    }

    private var currentHints: [KeyHint] {
        if let alert = currentAlert { return alert.choices.map(\.hint) }
        if let activity { return activity.mode == .committed ? [("", "please wait")] : [("Esc", "cancel")] }
        if form.isWriting(elements) { return [("Enter", "next"), ("↑↓", "move"), ("Esc", "back")] }
        return usualHints
    }

    private var usualHints: [KeyHint] {
        hints + [
            ("↑↓", "move"), ("Esc", "back"), ("h", "home"), ("c", "cart"), ("a", "account"), ("o", "orders"),
            ("r", "refresh"), ("q", "leave"),
        ]
    }
}

// MARK: - Elements of several screens

extension TerminalScreen {
    /// The elements of a loaded value, below its failure, its spinner or its age.
    func loaded<Value>(
        _ state: LoadState<Value>, activity: String = "Loading", _ show: (Value) -> [FormElement]
    ) -> [FormElement] {
        var elements: [FormElement] = []
        if let failure = state.failure {
            elements.append(.text(StyledText(failure.text, .red)))
            if let advice = failure.advice { elements.append(.text(StyledText(advice))) }
            // Above a value, a button would take the focus away; `r` has the same effect.
            if state.value == nil || failure.remedy == .signIn { elements.append(remedy(for: failure)) }
        }
        if state.isLoading, state.value == nil {
            elements.append(.text(environment.animation.spinner(activity)))
        }
        if let asOf = state.asOf {
            elements.append(.text(StyledText("Not up to date: as of \(time(asOf)).", .yellow)))
        }
        if !elements.isEmpty { elements.append(.blank) }
        return elements + (state.value.map(show) ?? [])
    }

    private func remedy(for failure: ScreenFailure) -> FormElement {
        failure.remedy == .signIn
            ? .button("sign in", "Sign in") { [unowned self] in go(to: .signIn) }
            : .button("retry", "Try again") { [unowned self] in reload() }
    }

    /// A button that reads the next page of a list; none after its last page.
    func more(after cursor: String?, _ message: some Message) -> [FormElement] {
        guard cursor != nil else { return [] }
        return [.button("more", "Show more") { [unowned self] in perform("Loading more", sending: message) }]
    }

    /// A date and time to the minute, in the window's time zone.
    func time(_ date: Date) -> String { TimeText.minutes(date, environment.timeZone) }

    /// A field, with the reason below it if it was refused when it was last sent.
    ///
    /// - Parameter name: the field's path in the request, for example `address.city`.
    func field(
        _ name: String, _ label: String, isSecret: Bool = false, submit: (@MainActor () -> Void)? = nil
    ) -> [FormElement] {
        [form.field(name, label, isSecret: isSecret, submit: submit)]
            + (reason(against: name).map { [.text(StyledText("  \($0)", .red))] } ?? [])
    }
}

extension FormElement {
    /// Dim text that explains the elements around it.
    static func note(_ text: String) -> FormElement { .text(StyledText(text, .dim)) }

    static func sums(_ rows: [(name: StyledText, sum: StyledText)]) -> [FormElement] {
        rows.map { .block(Row($0.name, $0.sum)) }
    }
}

extension Alert.Choice {
    fileprivate static func ok(_ dismiss: @escaping @MainActor () -> Void) -> Alert.Choice {
        Alert.Choice(keys: [.enter, .escape], label: "Enter", meaning: "OK", choose: dismiss)
    }
}
