@MainActor
public protocol StartNewRideResponder: AnyObject {
    func startNewRide() throws(IllegalTransition)
}
