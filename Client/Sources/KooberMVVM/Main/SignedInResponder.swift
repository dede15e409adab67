import PouchEntities

/// Goes on with somebody who is signed in.
@MainActor
public protocol SignedInResponder: AnyObject {
    /// - Throws: where somebody is signed in already, who stays.
    func signedIn(to userSession: UserSession) throws(IllegalTransition)
}
