import PouchEntities

@MainActor
public protocol SignedInResponder: AnyObject {
    func signedIn(to userSession: UserSession)
}
