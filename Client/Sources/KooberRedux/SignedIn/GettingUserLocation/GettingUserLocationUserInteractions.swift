import KooberKit

@MainActor
final class GettingUserLocationUserInteractions {
    private let actionDispatcher: any ActionDispatcher<GettingUserLocationAction>
    private let newRideRepository: any NewRideRepository
    private let userLocationSource: any UserLocationSource
    private let serialNumbers: SerialNumbers
    private let locating = LatestTask()

    init(
        actionDispatcher: any ActionDispatcher<GettingUserLocationAction>,
        newRideRepository: any NewRideRepository,
        userLocationSource: any UserLocationSource,
        serialNumbers: SerialNumbers
    ) {
        self.actionDispatcher = actionDispatcher
        self.newRideRepository = newRideRepository
        self.userLocationSource = userLocationSource
        self.serialNumbers = serialNumbers
    }

    /// Goes on with the ride that is under way, if there is one: nobody is asked where to go before that is known.
    func begin() {
        locating.run { [actionDispatcher, newRideRepository, userLocationSource, serialNumbers] in
            do throws(ErrorMessage) {
                if let ride = try await newRideRepository.activeRide() {
                    return actionDispatcher.dispatch(.foundActiveRide(ride, scope: serialNumbers.next()))
                }
                actionDispatcher.dispatch(.foundNoActiveRide)
                guard !Task.isCancelled else { return }
                let location = try await userLocationSource.userLocation()
                actionDispatcher.dispatch(.foundUserLocation(location, scope: serialNumbers.next()))
            } catch {
                actionDispatcher.dispatch(.failed(ErrorToPresent(id: serialNumbers.next(), message: error)))
            }
        }
    }

    /// Tries again.
    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id)) { [weak self] in self?.begin() }
    }
}
