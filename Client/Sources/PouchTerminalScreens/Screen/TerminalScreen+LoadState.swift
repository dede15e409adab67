import PouchEntities
import PouchScreens
import PouchTerminal

extension TerminalScreen {
    /// What was fetched, with what there is to say of it: that it is under way, went wrong, or is old.
    func loaded<Value>(
        _ state: LoadState<Value>, doing: String = "Loading", _ show: (Value) -> [FormElement]
    ) -> [FormElement] {
        var elements: [FormElement] = []
        if let failure = state.failure {
            elements.append(.text(StyledText(failure.text, .red)))
            if let advice = failure.advice { elements.append(.text(StyledText(advice))) }
            // Over something to look at a button would take the focus away from it; `r` does the same.
            if state.value == nil || failure.remedy == .signIn { elements.append(remedy(for: failure)) }
        }
        if state.isLoading, state.value == nil {
            elements.append(.text(environment.animation.spinner(doing)))
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

    /// A field, with what was wrong with it when it was last sent.
    ///
    /// - Parameter name: the field's path in what is sent, as in `address.city`.
    func field(
        _ name: String, _ label: String, isSecret: Bool = false, submit: (@MainActor () -> Void)? = nil
    ) -> [FormElement] {
        [form.field(name, label, isSecret: isSecret, submit: submit)]
            + (invalid[name].map { [.text(StyledText("  \($0)", .red))] } ?? [])
    }
}
