/// Goes on after a ride that has ended.
@MainActor
public protocol StartNewRideResponder: AnyObject {
    func startNewRide() throws(IllegalTransition)
}
