/// The input side of a controller: listens to something outside, and hands on what of it concerns the controller.
///
/// It is made without listening. Its controller alone owns it, so that it ends with its controller.
@MainActor
public protocol Observer: AnyObject {
    /// Listens to whatever it does not listen to yet.
    func startObserving()
    /// Nothing is delivered from now on, until it is started again.
    func stopObserving()
}
