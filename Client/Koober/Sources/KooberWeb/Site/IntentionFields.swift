import KooberScreens

/// The fields of a form that requests an intention: its name and, if it has one, its value.
///
/// Writing and reading these fields are both here, so that the site understands every form of its pages.
enum IntentionFields {
    /// The field with the name of the intention.
    static let name = "intention"
    static let value = "value"
    /// The field with the subject of the intention: see `KooberScreen.subject(of:)`.
    static let subject = "subject"

    /// The hidden fields of a form. The user's input comes from visible fields: those of `FormField`, and `value` for a
    /// search.
    static func hidden(for intention: Intention) -> [(name: String, value: String)] {
        let label = (name, intention.name)
        return switch intention {
        case .selectDropoff(let choice), .selectRideOption(let choice): [label, (value, choice)]
        case .goToSignUp, .goToSignIn, .goBack, .signIn, .signUp, .chooseDropoff, .searchDropoffs, .cancelDropoff,
            .confirmRide, .cancelRide, .startNewRide, .showProfile, .closeProfile, .signOut, .acknowledgeError:
            [label]
        }
    }

    /// Returns nil for an unknown intention, and for one without its fields.
    static func intention(in form: [String: String]) -> Intention? {
        guard let command = IntentionCommand.all.first(where: { $0.formName == form[name] }) else { return nil }
        let fields = command.fields?.map(\.rawValue) ?? command.parameters.map { _ in value }
        let values = fields.compactMap { form[$0] }
        return values.count == fields.count ? command.intention(values) : nil
    }
}

extension [String: String] {
    subscript(field: FormField) -> String? { self[field.rawValue] }
}
