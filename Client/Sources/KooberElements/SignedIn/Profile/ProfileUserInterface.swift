import PouchEntities

/// The profile, which lies over the other screens, and what opens it.
@MainActor
protocol ProfileUserInterface: AnyObject {
    var interactionResponder: (any ProfileInteractionResponder)? { get set }
    func render(newState: ProfileViewState)
}

struct ProfileViewState: Sendable, Equatable {
    let name: String
    let email: String
    /// May be empty.
    let mobileNumber: String
    let isPresented: Bool
    /// Nothing else can be done meanwhile.
    let isSigningOut: Bool

    init(_ state: SignedInState.Profile, of profile: Profile?) {
        name = profile?.name ?? ""
        email = profile?.email ?? ""
        mobileNumber = profile?.mobileNumber ?? ""
        isPresented = state != .closed
        isSigningOut = state == .signingOut
    }
}
