import KooberKit

/// What stands behind the gates of a world: a service in memory, or a model layer with a real server.
public protocol KooberService: Sendable {
    var model: any KooberModelFactory { get }
    /// They have accounts and no rides.
    var rider: Rider { get }
    var otherRider: Rider { get }
    /// Until something happened to the ride that is under way that who follows it is told.
    func timePasses() async throws
    /// Ends what sessions the rider has, from elsewhere, and lets the model layer find out.
    func endSessions(of rider: Rider) async throws
}

/// Somebody with an account.
public struct Rider: Sendable, Hashable {
    public let name: String
    public let email: String
    public let mobileNumber: String
    public let password: String

    public init(name: String, email: String, mobileNumber: String, password: String) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.password = password
    }
}
