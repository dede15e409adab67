import KooberKit
import Observation
import PouchEntities

/// The way from the map to a request, step by step.
///
/// Each method throws `IllegalTransition` where its step does not follow.
@MainActor
@Observable
public final class PickMeUpViewModel: DropoffLocationDeterminedResponder, CancelDropoffLocationSelectionResponder,
    RideOptionDeterminedResponder, NewRideRequestFailedResponder
{
    public private(set) var view: PickMeUpView
    public private(set) var progress: PickMeUpRequestProgress
    /// For which trip the option picker has to be a new one; nil before there is a trip.
    public private(set) var rideOptionPickerAction: NavigationAction<RideWaypoints>?
    public let errorMessages = ErrorMessages()
    private let mapViewModel: PickMeUpMapViewModel
    private let rideRequestConfirmedResponder: any RideRequestConfirmedResponder
    private let newRideRequestFailedResponder: any NewRideRequestFailedResponder

    public init(
        pickupLocation: GeoPoint, mapViewModel: PickMeUpMapViewModel,
        rideRequestConfirmedResponder: any RideRequestConfirmedResponder,
        newRideRequestFailedResponder: any NewRideRequestFailedResponder
    ) {
        progress = .initial(pickupLocation: pickupLocation)
        view = .initial
        self.mapViewModel = mapViewModel
        self.rideRequestConfirmedResponder = rideRequestConfirmedResponder
        self.newRideRequestFailedResponder = newRideRequestFailedResponder
    }

    public func showSelectDropoffLocationView() throws(IllegalTransition) {
        guard view == progress.view else { throw IllegalTransition(from: view) }
        view = .selectDropoffLocation
    }

    /// Back to the step before, as it was.
    public func cancelDropoffLocationSelection() throws(IllegalTransition) {
        guard view == .selectDropoffLocation else { throw IllegalTransition(from: view) }
        view = progress.view
    }

    public func dropOffUser(at dropoffLocation: NamedLocation) throws(IllegalTransition) {
        guard view == .selectDropoffLocation else { throw IllegalTransition(from: view) }
        selectRideOption(
            for: RideWaypoints(pickupLocation: progress.pickupLocation, dropoffLocation: dropoffLocation.location))
        mapViewModel.dropoffLocation = dropoffLocation
    }

    /// Another one may be chosen until the request is confirmed.
    public func pickUpUser(in option: PricedRideOption) throws(IllegalTransition) {
        let waypoints =
            switch (view, progress) {
            case (.selectRideOption, .waypointsDetermined(let waypoints)): waypoints
            case (.confirmRequest, .rideRequestReady(let request)): request.waypoints
            default: throw IllegalTransition(from: view)
            }
        progress = .rideRequestReady(rideRequest: NewRideRequest(waypoints: waypoints, option: option))
        view = progress.view
    }

    public func confirmRide() throws(IllegalTransition) {
        guard case (.confirmRequest, .rideRequestReady(let request)) = (view, progress) else {
            throw IllegalTransition(from: view)
        }
        try rideRequestConfirmedResponder.rideRequestConfirmed()
        view = .sendingRideRequest(request)
    }

    /// Once the error was acknowledged an option is to be chosen again: what they cost may have changed.
    public func newRideRequestFailed(_ errorMessage: ErrorMessage) {
        guard case .sendingRideRequest(let request) = view else { return }
        newRideRequestFailedResponder.newRideRequestFailed(errorMessage)
        view = progress.view
        errorMessages.present(errorMessage) { [weak self] in self?.selectRideOption(for: request.waypoints) }
    }

    /// The view has a new option picker for the trip.
    public func uiPresented(rideOptionPickerFor waypoints: RideWaypoints) {
        rideOptionPickerAction = .presented(view: waypoints)
    }

    private func selectRideOption(for waypoints: RideWaypoints) {
        progress = .waypointsDetermined(waypoints: waypoints)
        view = progress.view
        rideOptionPickerAction = .present(view: waypoints)
    }
}
