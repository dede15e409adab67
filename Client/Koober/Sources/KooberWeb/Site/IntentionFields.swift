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
        let label = (name, intention.formName)
        return switch intention {
        case .selectDropoff(let choice), .selectRideOption(let choice): [label, (value, choice)]
        case .goToSignUp, .goToSignIn, .goBack, .signIn, .signUp, .chooseDropoff, .searchDropoffs, .cancelDropoff,
            .confirmRide, .cancelRide, .startNewRide, .showProfile, .closeProfile, .signOut, .acknowledgeError:
            [label]
        }
    }

    /// Returns nil for an unknown intention, and for one without its fields.
    static func intention(in form: [String: String]) -> Intention? {
        let possible = IntentionCommand.all.lazy.compactMap { command -> Intention? in
            let fields = command.fields?.map(\.rawValue) ?? command.parameters.map { _ in value }
            let values = fields.compactMap { form[$0] }
            return values.count == fields.count ? command.intention(values) : nil
        }
        return possible.first { $0.formName == form[name] }
    }
}

extension Intention {
    /// The name in a form. Pages in open browsers send it, so a case that is renamed keeps its name.
    fileprivate var formName: String {
        switch self {
        case .goToSignIn: "goToSignIn"
        case .goToSignUp: "goToSignUp"
        case .signIn: "signIn"
        case .signUp: "signUp"
        case .chooseDropoff: "chooseDropoff"
        case .searchDropoffs: "searchDropoffs"
        case .selectDropoff: "selectDropoff"
        case .cancelDropoff: "cancelDropoff"
        case .selectRideOption: "selectRideOption"
        case .confirmRide: "confirmRide"
        case .cancelRide: "cancelRide"
        case .startNewRide: "startNewRide"
        case .showProfile: "showProfile"
        case .closeProfile: "closeProfile"
        case .signOut: "signOut"
        case .goBack: "goBack"
        case .acknowledgeError: "acknowledgeError"
        }
    }
}

extension [String: String] {
    subscript(field: FormField) -> String? { self[field.rawValue] }
}
