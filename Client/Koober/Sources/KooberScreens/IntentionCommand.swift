import PouchEntities

/// An intention as its user spells it: a line of a script, or a form of a page.
public struct IntentionCommand: Sendable {
    /// In a script.
    public let name: String
    /// In a script, the names of the words after the name, such as `EMAIL`.
    public let parameters: [String]
    /// In a form, the fields with the parameters; nil for one field without a name of its own.
    public let fields: [FormField]?
    /// Whether the rest of a script's line is one parameter, which may be empty.
    public let isText: Bool
    /// Receives as many words as there are parameters.
    public let intention: @Sendable ([String]) -> Intention

    private init(
        _ name: String, _ parameters: [String] = [], fields: [FormField]? = nil, isText: Bool = false,
        _ intention: @escaping @Sendable ([String]) -> Intention
    ) {
        self.name = name
        self.parameters = parameters
        self.fields = fields
        self.isText = isText
        self.intention = intention
    }

    /// For example `sign-in EMAIL PASSWORD`.
    public var usage: String { ([name] + parameters).joined(separator: " ") }

    public static let all = [
        IntentionCommand("go-to-sign-in") { _ in .goToSignIn },
        IntentionCommand("go-to-sign-up") { _ in .goToSignUp },
        IntentionCommand("sign-in", ["EMAIL", "PASSWORD"], fields: [.email, .password]) {
            .signIn(email: $0[0], password: Secret($0[1]))
        },
        IntentionCommand(
            "sign-up", ["NAME", "EMAIL", "MOBILE", "PASSWORD"], fields: [.name, .email, .mobileNumber, .password]
        ) {
            .signUp(name: $0[0], email: $0[1], mobileNumber: $0[2], password: Secret($0[3]))
        },
        IntentionCommand("where-to") { _ in .chooseDropoff },
        IntentionCommand("search", ["TEXT"], isText: true) { .searchDropoffs($0[0]) },
        IntentionCommand("choose", ["NAME"], isText: true) { .selectDropoff($0[0]) },
        IntentionCommand("cancel-where-to") { _ in .cancelDropoff },
        IntentionCommand("option", ["ID"]) { .selectRideOption($0[0]) },
        IntentionCommand("confirm") { _ in .confirmRide },
        IntentionCommand("cancel-ride") { _ in .cancelRide },
        IntentionCommand("new-ride") { _ in .startNewRide },
        IntentionCommand("profile") { _ in .showProfile },
        IntentionCommand("close-profile") { _ in .closeProfile },
        IntentionCommand("sign-out") { _ in .signOut },
        IntentionCommand("back") { _ in .goBack },
        IntentionCommand("ok") { _ in .acknowledgeError },
    ]
}
