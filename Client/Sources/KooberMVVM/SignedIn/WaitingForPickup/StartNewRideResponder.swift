@MainActor
public protocol StartNewRideResponder: AnyObject {
    func startNewRide()
}
