import KooberScreens
import PouchEntities

/// How an intention is written in a script.
public struct ScriptCommand: Sendable {
    let name: String
    /// What follows the name, as in `EMAIL`.
    let parameters: [String]
    /// Whether all that follows is one parameter, which may be empty.
    let isText: Bool
    /// Of as many words as there are parameters.
    let intention: @Sendable ([String]) -> Intention

    private init(
        _ name: String, _ parameters: [String] = [], isText: Bool = false,
        _ intention: @escaping @Sendable ([String]) -> Intention
    ) {
        self.name = name
        self.parameters = parameters
        self.isText = isText
        self.intention = intention
    }

    /// As in `sign-in EMAIL PASSWORD`.
    public var usage: String { ([name] + parameters).joined(separator: " ") }

    public static let all = [
        ScriptCommand("go-to-sign-in") { _ in .goToSignIn },
        ScriptCommand("go-to-sign-up") { _ in .goToSignUp },
        ScriptCommand("sign-in", ["EMAIL", "PASSWORD"]) { .signIn(email: $0[0], password: Secret($0[1])) },
        ScriptCommand("sign-up", ["NAME", "EMAIL", "MOBILE", "PASSWORD"]) {
            .signUp(name: $0[0], email: $0[1], mobileNumber: $0[2], password: Secret($0[3]))
        },
        ScriptCommand("where-to") { _ in .chooseDropoff },
        ScriptCommand("search", ["TEXT"], isText: true) { .searchDropoffs($0[0]) },
        ScriptCommand("choose", ["NAME"], isText: true) { .selectDropoff($0[0]) },
        ScriptCommand("cancel-where-to") { _ in .cancelDropoff },
        ScriptCommand("option", ["ID"]) { .selectRideOption($0[0]) },
        ScriptCommand("confirm") { _ in .confirmRide },
        ScriptCommand("cancel-ride") { _ in .cancelRide },
        ScriptCommand("new-ride") { _ in .startNewRide },
        ScriptCommand("profile") { _ in .showProfile },
        ScriptCommand("close-profile") { _ in .closeProfile },
        ScriptCommand("sign-out") { _ in .signOut },
        ScriptCommand("back") { _ in .goBack },
        ScriptCommand("ok") { _ in .acknowledgeError },
    ]
}
