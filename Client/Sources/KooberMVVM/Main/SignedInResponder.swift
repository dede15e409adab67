import PouchEntities

/// Goes on with somebody who is signed in.
@MainActor
public protocol SignedInResponder: AnyObject {
    func signedIn(to userSession: UserSession)
}
