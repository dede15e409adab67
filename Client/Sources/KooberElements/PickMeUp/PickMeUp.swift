import KooberKit
import PouchEntities

/// The state from the user's location to the request of a ride.
public struct PickMeUpState: PresentsErrors {
    /// The next decision of the user, or the request in progress.
    public enum Step: Sendable, Equatable {
        /// The user has not chosen a drop-off.
        case initial
        case selectRideOption(RideOptions)
        case sendingRideRequest(RideOptions)
        /// The user has not acknowledged the error. The prices may have expired by then.
        case rideRequestFailed(RideOptions)
    }

    public let pickupLocation: GeoPoint
    public var dropoffLocation: NamedLocation?
    public var step = Step.initial
    /// Covers the step, which goes on beneath it; nil while it is closed.
    public var dropoffPicker: DropoffPickerState?
    public var errors: [ErrorMessage] = []

    public init(pickupLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
    }

    var isSending: Bool {
        if case .sendingRideRequest = step { true } else { false }
    }

    /// nil until the user has chosen a drop-off.
    var waypoints: RideWaypoints? {
        dropoffLocation.map { RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: $0.location) }
    }
}

/// The ride options for the trip; none while they are loading, or after loading failed.
public struct RideOptions: Sendable, Equatable {
    public var options: [PricedRideOption]
    public var selectedID: PricedRideOption.ID?
    public var isLoading: Bool

    public init(options: [PricedRideOption] = [], isLoading: Bool = false) {
        self.options = options
        self.isLoading = isLoading
    }

    public var selected: PricedRideOption? { options.first { $0.id == selectedID } }
}

/// The state of the open drop-off picker.
public struct DropoffPickerState: Sendable, Equatable {
    public var query = ""
    /// The results of the last answered search, which stay during the next one.
    public var results: [NamedLocation] = []
    public var isSearching = false
}

// MARK: Controller

protocol PickMeUpInteractionResponder: ErrorInteractionResponder {
    func chooseDropoffLocation()
    func searchDropoffLocations(query: String)
    func select(dropoffLocation: NamedLocation)
    func cancelDropoffLocation()
    func select(rideOption id: PricedRideOption.ID)
    func requestRide()
}

typealias PickMeUpUseCases = DropoffUseCaseFactory & RideUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The map with the next decision of the user.
final class PickMeUpController: ScreenController<
    any PickMeUpInteractionResponder, PickMeUpViewState, any PickMeUpUseCases
>, PickMeUpInteractionResponder
{
    private var state: PickMeUpState?
    private let search = RunningUseCases()
    private let loading = RunningUseCases()

    required init(userInterface: UserInterface, observer: any Observer, useCases: any PickMeUpUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    override func deactivate() {
        super.deactivate()
        search.cancel()
        loading.cancel()
    }

    func received(pickMeUp: PickMeUpState) {
        state = pickMeUp
        received(viewState: PickMeUpViewState(pickMeUp))
    }

    func chooseDropoffLocation() {
        useCases.makePresentDropoffPickerUseCase(isPresented: true).start()
        searchDropoffLocations(query: "")
    }

    func searchDropoffLocations(query: String) {
        search.replace(by: useCases.makeSearchDropoffLocationsUseCase(query: query))
    }

    func select(dropoffLocation: NamedLocation) {
        search.cancel()
        useCases.makeSelectDropoffLocationUseCase(dropoffLocation).start()
        loadRideOptions()
    }

    func cancelDropoffLocation() {
        search.cancel()
        useCases.makePresentDropoffPickerUseCase(isPresented: false).start()
    }

    func select(rideOption id: PricedRideOption.ID) {
        useCases.makeSelectRideOptionUseCase(id: id).start()
    }

    func requestRide() { running.start(useCases.makeRequestRideUseCase()) }

    func finishedPresenting(_ error: ErrorMessage) {
        let requestHasFailed = if case .rideRequestFailed = state?.step { true } else { false }
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if requestHasFailed { loadRideOptions() }
    }

    private func loadRideOptions() { loading.replace(by: useCases.makeLoadRideOptionsUseCase()) }
}
