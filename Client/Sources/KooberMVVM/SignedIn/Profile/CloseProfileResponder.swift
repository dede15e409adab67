@MainActor
public protocol CloseProfileResponder: AnyObject {
    func closeProfile() throws(IllegalTransition)
}
