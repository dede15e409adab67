import PouchEntities

/// What somebody signs up with.
public struct NewAccount: Sendable, Hashable {
    public let name: String
    public let email: String
    /// May be empty.
    public let mobileNumber: String
    public let password: Secret

    public init(name: String, email: String, mobileNumber: String, password: Secret) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.password = password
    }
}
