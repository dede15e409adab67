import PouchEntities
import PouchScreens
import PouchTerminal

/// The topmost row: the screen's title, the visitor's name, the cart, and whether the shop is offline.
struct StatusBar: Block {
    /// The most columns of a name, so that the cart after it stays visible.
    private static let nameColumns = 20

    let title: String
    let status: ShopStatus

    func height(width: Int) -> Int { 1 }

    func draw(on canvas: inout Canvas, in area: Area) {
        Row(
            StyledText(" Pouch", .bold) + "  \(title)", StyledText(facts.joined(separator: " · ") + " "),
            style: .reversed
        ).draw(on: &canvas, in: area)
    }

    private var facts: [String] {
        var facts = status.connectivity == .offline ? ["OFFLINE"] : []
        switch status.visitor {
        case .customer(let profile): facts.append(StyledText(profile.name).truncated(to: Self.nameColumns).plain)
        case .guest: facts.append("guest")
        case .signedOut: break
        }
        facts.append("Cart \(status.cart.unitCount.map { "\($0)" } ?? "–")")
        if status.cart.pendingChanges > 0 { facts.append("\(status.cart.pendingChanges) to send") }
        return facts
    }
}

extension TerminalScreen {
    /// The elements of a loaded value, below its failure, its spinner or its age.
    func loaded<Value>(
        _ state: LoadState<Value>, activity: String = "Loading", _ show: (Value) -> [FormElement]
    ) -> [FormElement] {
        var elements: [FormElement] = []
        if let failure = state.failure {
            elements.append(.text(StyledText(failure.text, .red)))
            if let advice = failure.advice { elements.append(.text(StyledText(advice))) }
            // Above a value, a button would take the focus away from it; `r` does the same.
            if state.value == nil || failure.remedy == .signIn { elements.append(remedy(for: failure)) }
        }
        if state.isLoading, state.value == nil {
            elements.append(.text(environment.animation.spinner(activity)))
        }
        if let asOf = state.asOf {
            elements.append(
                .text(
                    StyledText("Not current: as of \(TimeText.minutes(asOf, environment.timeZone)).", .yellow)))
        }
        if !elements.isEmpty { elements.append(.blank) }
        return elements + (state.value.map(show) ?? [])
    }

    private func remedy(for failure: ScreenFailure) -> FormElement {
        failure.remedy == .signIn
            ? .button("sign in", "Sign in") { [unowned self] in go(to: .signIn) }
            : .button("retry", "Try again") { [unowned self] in refresh() }
    }

    /// A field, with the reason below it if it was refused when it was last sent.
    ///
    /// - Parameter name: the field's path in the request, for example `address.city`.
    func field(
        _ name: String, _ label: String, isSecret: Bool = false, submit: (@MainActor () -> Void)? = nil
    ) -> [FormElement] {
        [form.field(name, label, isSecret: isSecret, submit: submit)]
            + (invalid[name].map { [.text(StyledText("  \($0)", .red))] } ?? [])
    }
}

extension FormElement {
    /// Dim text that explains the elements around it.
    static func note(_ text: String) -> FormElement { .text(StyledText(text, .dim)) }

    static func sums(_ rows: [(name: StyledText, sum: StyledText)]) -> [FormElement] {
        rows.map { .block(Row($0.name, $0.sum)) }
    }
}
