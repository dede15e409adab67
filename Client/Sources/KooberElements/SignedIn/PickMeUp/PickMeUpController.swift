import KooberKit
import PouchEntities

@MainActor
public protocol PickMeUpInteractionResponder: ErrorInteractionResponder {
    func chooseDropoffLocation()
    func searchDropoffLocations(query: String)
    func select(dropoffLocation: NamedLocation)
    func cancelDropoffLocation()
    func select(rideOption id: PricedRideOption.ID)
    func requestRide()
}

public final class PickMeUpController: Controller, PickMeUpInteractionResponder {
    public typealias UseCases = PresentDropoffPickerUseCaseFactory & SearchDropoffLocationsUseCaseFactory
        & SelectDropoffLocationUseCaseFactory & LoadRideOptionsUseCaseFactory & SelectRideOptionUseCaseFactory
        & RequestRideUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any PickMeUpUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private var state: PickMeUpState?
    private var search: (any CancelableUseCase)?
    /// Options being loaded, or a request being sent: never both.
    private var running: (any CancelableUseCase)?

    public init(userInterface: any PickMeUpUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    public func activate() { observer.startObserving() }

    public func deactivate() {
        observer.stopObserving()
        search?.cancel()
        running?.cancel()
    }

    public func received(newState: PickMeUpState) {
        state = newState
        userInterface.render(newState: PickMeUpViewState(newState))
    }

    public func chooseDropoffLocation() {
        useCases.makePresentDropoffPickerUseCase(isPresented: true).start()
        searchDropoffLocations(query: "")
    }

    public func searchDropoffLocations(query: String) {
        search?.cancel()
        search = useCases.makeSearchDropoffLocationsUseCase(query: query)
        search?.start()
    }

    public func select(dropoffLocation: NamedLocation) {
        search?.cancel()
        useCases.makeSelectDropoffLocationUseCase(dropoffLocation).start()
        loadRideOptions()
    }

    public func cancelDropoffLocation() {
        search?.cancel()
        useCases.makePresentDropoffPickerUseCase(isPresented: false).start()
    }

    public func select(rideOption id: PricedRideOption.ID) {
        useCases.makeSelectRideOptionUseCase(id: id).start()
    }

    public func requestRide() { runs(useCases.makeRequestRideUseCase()) }

    public func finishedPresenting(_ error: ErrorMessage) {
        let requestHasFailed = if case .rideRequestFailed = state?.step { true } else { false }
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if requestHasFailed { loadRideOptions() }
    }

    private func loadRideOptions() { runs(useCases.makeLoadRideOptionsUseCase()) }

    private func runs(_ useCase: any CancelableUseCase) {
        running?.cancel()
        running = useCase
        useCase.start()
    }
}
