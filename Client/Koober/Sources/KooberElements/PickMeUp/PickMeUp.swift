import KooberKit
import KooberScreens
import PouchEntities

/// The state from the user's location to the request of a ride.
public struct PickMeUpState: PresentsErrors {
    /// The next decision of the user, or the request in progress.
    public enum Step: Sendable, Equatable {
        /// The user has not chosen a drop-off.
        case initial
        case selectRideOption(RideOptions)
        case sendingRideRequest(RideOptions)
        /// The user has not acknowledged this error. The prices may expire in the meantime.
        case rideRequestFailed(RideOptions, ErrorMessage.ID)
    }

    public let pickupLocation: GeoPoint
    public var dropoffLocation: NamedLocation?
    public var step = Step.initial
    /// Covers the step, which continues beneath it; nil while it is closed.
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
    /// The results of the last answered search, which remain during the next one.
    public var results: [NamedLocation] = []
    public var isSearching = false
    /// A result with exactly the searched name, if the search should choose it.
    public var match: NamedLocation?
}

// MARK: Controller

protocol PickMeUpInteractionResponder: ErrorInteractionResponder {
    func chooseDropoffLocation()
    func searchDropoffLocations(query: String)
    func selectDropoffLocation(named name: String)
    func cancelDropoffLocation()
    func select(rideOption id: PricedRideOption.ID)
    func requestRide()
}

typealias PickMeUpUseCases = DropoffUseCaseFactory & RideUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The map with the next decision of the user. It does not know a map: its user interface receives places and draws
/// them, on a terminal or in a browser, so a different map changes nothing here.
final class PickMeUpController: ScreenController<any PickMeUpInteractionResponder, any PickMeUpUseCases>,
    PickMeUpInteractionResponder, WindowSizeEventResponder
{
    /// The height of a window with too little room for a map and a list.
    private static let lowWindow = 18

    private var state: PickMeUpState?
    private var showsMap = true
    private let plan: RidePlan?
    private let sizeObserver: any Observer
    private let search = RunningUseCases()
    private let loading = RunningUseCases()

    /// - Parameters:
    ///   - plan: the steps to perform without the user.
    ///   - sizeObserver: observes the window, except while the drop-off picker covers the map.
    init(
        userInterface: UserInterface, observer: any Observer, sizeObserver: any Observer,
        useCases: any PickMeUpUseCases, plan: RidePlan?
    ) {
        self.plan = plan
        self.sizeObserver = sizeObserver
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    required init(userInterface: UserInterface, observer: any Observer, useCases: any PickMeUpUseCases) {
        plan = nil
        sizeObserver = ObserverComposition()
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    override func activate() {
        super.activate()
        switch plan {
        case .search(let query, let choosesMatch):
            useCases.makePresentDropoffPickerUseCase(isPresented: true).start()
            search.start(useCases.makeSearchDropoffLocationsUseCase(query: query, choosesMatch: choosesMatch))
        case .dropoff(let location, let option): select(location, option: option)
        case nil: break
        }
    }

    override func deactivate() {
        super.deactivate()
        sizeObserver.stopObserving()
        search.cancel()
        loading.cancel()
    }

    func received(pickMeUp: PickMeUpState) {
        state = pickMeUp
        if pickMeUp.dropoffPicker == nil { sizeObserver.startObserving() } else { sizeObserver.stopObserving() }
        if let match = pickMeUp.dropoffPicker?.match { return select(match) }
        render()
    }

    func windowDidResize(to size: WindowSize) {
        showsMap = size.rows >= Self.lowWindow
        render()
    }

    private func render() {
        guard let state else { return }
        received(viewState: ScreenViewState(.pickMeUp(PickMeUpScreen(state, showsMap: showsMap)), state))
    }

    func chooseDropoffLocation() {
        useCases.makePresentDropoffPickerUseCase(isPresented: true).start()
        searchDropoffLocations(query: "")
    }

    func searchDropoffLocations(query: String) {
        search.replace(by: useCases.makeSearchDropoffLocationsUseCase(query: query, choosesMatch: false))
    }

    func selectDropoffLocation(named name: String) {
        if let location = state?.dropoffPicker?.results.first(where: { $0.name == name }) { select(location) }
    }

    private func select(_ location: NamedLocation, option: PricedRideOption.ID? = nil) {
        search.cancel()
        loading.replace(by: useCases.makeSelectDropoffLocationUseCase(location, option: option))
    }

    func cancelDropoffLocation() {
        search.cancel()
        useCases.makePresentDropoffPickerUseCase(isPresented: false).start()
    }

    func select(rideOption id: PricedRideOption.ID) {
        useCases.makeSelectRideOptionUseCase(id: id).start()
    }

    func requestRide() { running.start(useCases.makeRequestRideUseCase()) }

    /// Requests the options again if a request caused the error: the fares may have changed since.
    func finishedPresenting(_ error: ErrorMessage) {
        let location = state?.dropoffLocation
        let isOfRequest = if case .rideRequestFailed(_, error.id) = state?.step { true } else { false }
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if isOfRequest, let location { select(location) }
    }
}
