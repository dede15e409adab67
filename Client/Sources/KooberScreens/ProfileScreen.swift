/// Who is signed in.
public struct ProfileScreen: Hashable, Sendable {
    public var name: String
    public var email: String
    /// May be empty.
    public var mobileNumber: String
    public var isSigningOut: Bool

    public init(name: String, email: String, mobileNumber: String, isSigningOut: Bool = false) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.isSigningOut = isSigningOut
    }
}
