import KooberKit
import KooberMVVMCore
import KooberScreens
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

/// The way from the map to a requested ride, step by step.
///
/// Each step returns false, and changes nothing, if it is not possible now.
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
    private let pickupLocation: GeoPoint
    private let map: PickMeUpMapViewModel
    private let rideOptionPicker: RideOptionPickerViewModel
    private let newRideRepository: any NewRideRepository
    private let publisher: SignedInViewPublisher
    private let errorMessages: ErrorMessages
    private let sending = LatestTask()

    /// - Parameter plan: the steps that have already been performed.
    public init(
        pickupLocation: GeoPoint, map: PickMeUpMapViewModel, rideOptionPicker: RideOptionPickerViewModel,
        newRideRepository: any NewRideRepository, publisher: SignedInViewPublisher, errorMessages: ErrorMessages,
        plan: RidePlan? = nil
    ) {
        progress = .initial(pickupLocation: pickupLocation)
        self.pickupLocation = pickupLocation
        self.map = map
        self.rideOptionPicker = rideOptionPicker
        self.newRideRepository = newRideRepository
        self.publisher = publisher
        self.errorMessages = errorMessages
        switch plan {
        case .search: cover = .dropoffLocationPicker
        case .dropoff(let place, let option): goTo(place, selecting: option)
        case nil: break
        }
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

    @discardableResult
    public func showSelectDropoffLocationView() -> Bool {
        guard cover == nil else { return false }
        cover = .dropoffLocationPicker
        return true
    }

    /// Returns to the previous step.
    @discardableResult
    public func cancelDropoffLocationSelection() -> Bool {
        guard cover == .dropoffLocationPicker else { return false }
        cover = nil
        return true
    }

    @discardableResult
    public func dropOffUser(at dropoffLocation: NamedLocation) -> Bool {
        guard cover == .dropoffLocationPicker else { return false }
        goTo(dropoffLocation)
        return true
    }

    /// Selects the option. The user may select another one until the request is confirmed. A wanted option may arrive
    /// while the drop-off picker covers the options.
    @discardableResult
    public func pickUpUser(in option: PricedRideOption) -> Bool {
        let waypoints: RideWaypoints
        switch (cover, progress) {
        case (.sendingRideRequest, _), (_, .initial): return false
        case (_, .waypointsDetermined(let known)): waypoints = known
        case (_, .rideRequestReady(let request)): waypoints = request.waypoints
        }
        progress = .rideRequestReady(rideRequest: NewRideRequest(waypoints: waypoints, option: option))
        return true
    }

    /// Sends the request. Its response is ignored if this view model is deallocated before.
    @discardableResult
    public func confirmRide() -> Bool {
        guard case (nil, .rideRequestReady(let request)) = (cover, progress) else { return false }
        cover = .sendingRideRequest
        sending.run(for: self) { [newRideRepository] current in
            do throws(ErrorMessage) {
                let ride = try await newRideRepository.request(request)
                current()?.publisher.view = .waitingForPickup(ride)
            } catch {
                current()?.fail(request, error)
            }
        }
        return true
    }

    /// Requests the options again once the user has acknowledged the error: the fares may have changed since.
    private func fail(_ request: NewRideRequest, _ errorMessage: ErrorMessage) {
        cover = nil
        errorMessages.present(errorMessage) { [weak self] in self?.selectRideOption(for: request.waypoints) }
    }

    private func goTo(_ dropoffLocation: NamedLocation, selecting option: RideOption.ID? = nil) {
        map.dropoffLocation = dropoffLocation
        selectRideOption(
            for: RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: dropoffLocation.location),
            selecting: option)
    }

    private func selectRideOption(for waypoints: RideWaypoints, selecting option: RideOption.ID? = nil) {
        cover = nil
        progress = .waypointsDetermined(waypoints: waypoints)
        rideOptionPicker.loadRideOptions(for: waypoints, selecting: option)
    }
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
