import KooberKit

/// Goes on with what somebody wants to ride on.
@MainActor
public protocol RideOptionDeterminedResponder: AnyObject {
    func pickUpUser(in option: PricedRideOption) throws(IllegalTransition)
}
