import KooberKit
import PouchEntities

@MainActor
protocol PickMeUpInteractionResponder: ErrorInteractionResponder {
    func chooseDropoffLocation()
    func searchDropoffLocations(query: String)
    func select(dropoffLocation: NamedLocation)
    func cancelDropoffLocation()
    func select(rideOption id: PricedRideOption.ID)
    func requestRide()
}

final class PickMeUpController: ScreenController, PickMeUpInteractionResponder {
    typealias UseCases = PresentDropoffPickerUseCaseFactory & SearchDropoffLocationsUseCaseFactory
        & SelectDropoffLocationUseCaseFactory & LoadRideOptionsUseCaseFactory & SelectRideOptionUseCaseFactory
        & RequestRideUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any PickMeUpUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private var state: PickMeUpState?
    private let search = RunningUseCases()
    private let loading = RunningUseCases()
    private let request = RunningUseCases()

    init(userInterface: any PickMeUpUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() { observer.startObserving() }

    func deactivate() {
        observer.stopObserving()
        search.cancel()
        loading.cancel()
        request.cancel()
    }

    func received(newState: PickMeUpState) {
        state = newState
        userInterface.render(newState: PickMeUpViewState(newState))
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

    func requestRide() { request.start(useCases.makeRequestRideUseCase()) }

    func finishedPresenting(_ error: ErrorMessage) {
        let requestHasFailed = if case .rideRequestFailed = state?.step { true } else { false }
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if requestHasFailed { loadRideOptions() }
    }

    private func loadRideOptions() { loading.replace(by: useCases.makeLoadRideOptionsUseCase()) }
}
