import KooberScreens
import PouchEntities

/// The fields of a form that requests an intention: its name and, if it has one, its value.
///
/// Writing and reading these fields are both here, so that the site understands every form of its pages.
enum IntentionFields {
    /// The field with the name of the intention.
    static let name = "intention"

    /// The hidden fields of a form. The user's input comes from visible fields: those of `FormField`, and `value` for a
    /// search.
    static func hidden(for intention: Intention) -> [(name: String, value: String)] {
        let (label, value): (String, String?) =
            switch intention {
            case .goToSignUp: ("goToSignUp", nil)
            case .goToSignIn: ("goToSignIn", nil)
            case .goBack: ("goBack", nil)
            case .signIn: ("signIn", nil)
            case .signUp: ("signUp", nil)
            case .chooseDropoff: ("chooseDropoff", nil)
            case .searchDropoffs: ("searchDropoffs", nil)
            case .selectDropoff(let place): ("selectDropoff", place)
            case .cancelDropoff: ("cancelDropoff", nil)
            case .selectRideOption(let id): ("selectRideOption", id)
            case .confirmRide: ("confirmRide", nil)
            case .cancelRide: ("cancelRide", nil)
            case .startNewRide: ("startNewRide", nil)
            case .showProfile: ("showProfile", nil)
            case .closeProfile: ("closeProfile", nil)
            case .signOut: ("signOut", nil)
            case .acknowledgeError: ("acknowledgeError", nil)
            }
        return [(name, label)] + (value.map { [(Self.value, $0)] } ?? [])
    }

    static let value = "value"

    /// The field with the subject of the intention: see `KooberScreen.subject(of:)`.
    static let subject = "subject"

    /// Returns nil for an unknown intention, and for one without its fields.
    static func intention(in form: [String: String]) -> Intention? {
        switch form[name] {
        case "goToSignUp": .goToSignUp
        case "goToSignIn": .goToSignIn
        case "goBack": .goBack
        case "signIn": signIn(form)
        case "signUp": signUp(form)
        case "chooseDropoff": .chooseDropoff
        case "searchDropoffs": form[value].map { .searchDropoffs($0) }
        case "selectDropoff": form[value].map { .selectDropoff($0) }
        case "cancelDropoff": .cancelDropoff
        case "selectRideOption": form[value].map { .selectRideOption($0) }
        case "confirmRide": .confirmRide
        case "cancelRide": .cancelRide
        case "startNewRide": .startNewRide
        case "showProfile": .showProfile
        case "closeProfile": .closeProfile
        case "signOut": .signOut
        case "acknowledgeError": .acknowledgeError
        default: nil
        }
    }

    private static func signIn(_ form: [String: String]) -> Intention? {
        guard let email = form[.email], let password = form[.password] else { return nil }
        return .signIn(email: email, password: Secret(password))
    }

    private static func signUp(_ form: [String: String]) -> Intention? {
        guard let name = form[.name], let email = form[.email], let mobileNumber = form[.mobileNumber],
            let password = form[.password]
        else { return nil }
        return .signUp(name: name, email: email, mobileNumber: mobileNumber, password: Secret(password))
    }
}

extension [String: String] {
    subscript(field: FormField) -> String? { self[field.rawValue] }
}
