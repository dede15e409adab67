@MainActor
public protocol NotSignedInResponder: AnyObject {
    func notSignedIn()
}
