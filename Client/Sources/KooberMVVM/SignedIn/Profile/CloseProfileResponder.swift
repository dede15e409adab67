/// Shows what lies under the profile.
@MainActor
public protocol CloseProfileResponder: AnyObject {
    func closeProfile() throws(IllegalTransition)
}
