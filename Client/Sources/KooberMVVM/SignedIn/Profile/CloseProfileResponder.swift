@MainActor
public protocol CloseProfileResponder: AnyObject {
    func closeProfile()
}
