/// Work that somebody may lose interest in.
@MainActor
public protocol Cancelable: AnyObject {
    /// Nothing is heard of it from now on. Does nothing after its end, nor a second time.
    func cancel()
}
