import KooberKit
import Observation
import PouchEntities

/// The next decision of the user.
public enum PickMeUpView: Hashable, Sendable {
    case initial
    case selectDropoffLocation
    case selectRideOption
    /// The ride options with one of them selected.
    case confirmRequest
    case sendingRideRequest(NewRideRequest)
}

/// The known part of a request, whichever view is shown.
public enum PickMeUpRequestProgress: Hashable, Sendable {
    case initial(pickupLocation: GeoPoint)
    case waypointsDetermined(waypoints: RideWaypoints)
    case rideRequestReady(rideRequest: NewRideRequest)
}

/// The way from the map to a sent ride request, step by step.
///
/// Each method throws `IllegalTransition` if its step is not possible now.
@MainActor
@Observable
public final class PickMeUpViewModel: DropoffLocationDeterminedResponder, CancelDropoffLocationSelectionResponder,
    RideOptionDeterminedResponder
{
    /// A view that covers the view of the progress.
    private enum Cover {
        case dropoffLocationPicker, sendingRideRequest
    }

    public private(set) var progress: PickMeUpRequestProgress
    private var cover: Cover?
    /// The trip that the ride option picker has to be created for; nil before the first trip.
    public private(set) var rideOptionPickerAction: NavigationAction<RideWaypoints>?
    public let errorMessages = ErrorMessages()
    private let pickupLocation: GeoPoint
    private let mapViewModel: PickMeUpMapViewModel
    private let newRideRepository: any NewRideRepository
    private let rideRequestResponder: any RideRequestResponder
    private let sending = LatestWork()

    public init(
        pickupLocation: GeoPoint, mapViewModel: PickMeUpMapViewModel, newRideRepository: any NewRideRepository,
        rideRequestResponder: any RideRequestResponder
    ) {
        progress = .initial(pickupLocation: pickupLocation)
        self.pickupLocation = pickupLocation
        self.mapViewModel = mapViewModel
        self.newRideRepository = newRideRepository
        self.rideRequestResponder = rideRequestResponder
    }

    public var view: PickMeUpView {
        switch (cover, progress) {
        case (.dropoffLocationPicker, _): .selectDropoffLocation
        case (.sendingRideRequest, .rideRequestReady(let request)): .sendingRideRequest(request)
        case (_, .initial): .initial
        case (_, .waypointsDetermined): .selectRideOption
        case (nil, .rideRequestReady): .confirmRequest
        }
    }

    public func showSelectDropoffLocationView() throws(IllegalTransition) {
        guard cover == nil else { throw IllegalTransition(from: view) }
        cover = .dropoffLocationPicker
    }

    /// Returns to the previous step.
    public func cancelDropoffLocationSelection() throws(IllegalTransition) {
        guard cover == .dropoffLocationPicker else { throw IllegalTransition(from: view) }
        cover = nil
    }

    public func dropOffUser(at dropoffLocation: NamedLocation) throws(IllegalTransition) {
        guard cover == .dropoffLocationPicker else { throw IllegalTransition(from: view) }
        selectRideOption(
            for: RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: dropoffLocation.location))
        mapViewModel.dropoffLocation = dropoffLocation
    }

    /// Selects the option. The user may select another one until the request is confirmed.
    public func pickUpUser(in option: PricedRideOption) throws(IllegalTransition) {
        let waypoints =
            switch (cover, progress) {
            case (nil, .waypointsDetermined(let waypoints)): waypoints
            case (nil, .rideRequestReady(let request)): request.waypoints
            default: throw IllegalTransition(from: view)
            }
        progress = .rideRequestReady(rideRequest: NewRideRequest(waypoints: waypoints, option: option))
    }

    /// Sends the request. Its answer is dropped if this view model is deallocated before.
    public func confirmRide() throws(IllegalTransition) {
        guard case (nil, .rideRequestReady(let request)) = (cover, progress) else {
            throw IllegalTransition(from: view)
        }
        try rideRequestResponder.prepareForRideRequest()
        cover = .sendingRideRequest
        sending.call { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.request(request)
        } then: { [weak self] in
            self?.finish(request, $0)
        }
    }

    private func finish(_ request: NewRideRequest, _ ride: Result<Ride, ErrorMessage>) {
        switch ride {
        case .success(let ride): try? rideRequestResponder.newRideRequestAccepted(ride)
        case .failure(let errorMessage):
            rideRequestResponder.newRideRequestFailed()
            cover = nil
            // The fares may have changed since.
            errorMessages.present(errorMessage) { [weak self] in self?.selectRideOption(for: request.waypoints) }
        }
    }

    /// Reports a new ride option picker for the trip.
    public func uiPresented(rideOptionPickerFor waypoints: RideWaypoints) {
        rideOptionPickerAction = .presented(view: waypoints)
    }

    private func selectRideOption(for waypoints: RideWaypoints) {
        cover = nil
        progress = .waypointsDetermined(waypoints: waypoints)
        rideOptionPickerAction = .present(view: waypoints)
    }
}

/// The surroundings of a ride request, from its confirmation to its answer.
@MainActor
public protocol RideRequestResponder: AnyObject {
    /// Keeps the user on this screen until the request is answered.
    /// - Throws: while another view covers the screen. The request must not be sent then.
    func prepareForRideRequest() throws(IllegalTransition)
    func newRideRequestFailed()
    /// - Throws: unless a request is being sent.
    func newRideRequestAccepted(_ ride: Ride) throws(IllegalTransition)
}

/// The markers on the map.
@MainActor
@Observable
public final class PickMeUpMapViewModel {
    public let pickupLocation: GeoPoint
    public internal(set) var dropoffLocation: NamedLocation?

    public init(pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
    }
}
