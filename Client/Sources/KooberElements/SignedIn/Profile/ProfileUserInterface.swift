import PouchEntities

/// The profile, which lies over the other screens, and what opens it.
@MainActor
public protocol ProfileUserInterface: AnyObject {
    func render(newState: ProfileViewState)
}

public struct ProfileViewState: Sendable, Equatable {
    public let name: String
    public let email: String
    /// May be empty.
    public let mobileNumber: String
    public let isPresented: Bool
    /// Nothing else can be done meanwhile.
    public let isSigningOut: Bool

    init(_ state: SignedInState.Profile, of profile: Profile?) {
        name = profile?.name ?? ""
        email = profile?.email ?? ""
        mobileNumber = profile?.mobileNumber ?? ""
        isPresented = state != .closed
        isSigningOut = state == .signingOut
    }
}
