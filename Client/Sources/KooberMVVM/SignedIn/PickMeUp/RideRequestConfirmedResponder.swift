/// Makes room for a request to be sent.
@MainActor
public protocol RideRequestConfirmedResponder: AnyObject {
    /// - Throws: where something lies over it.
    func rideRequestConfirmed() throws(IllegalTransition)
}
