import KooberKit

@MainActor
protocol GettingUserLocationUserInteractions: AnyObject {
    /// Goes on with the ride that is under way, if there is one.
    func begin()
    /// Tries again.
    func finishedPresenting(_ error: ErrorToPresent)
}

@MainActor
final class ReduxGettingUserLocationUserInteractions: GettingUserLocationUserInteractions {
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

    func begin() {
        locating.run { [actionDispatcher, newRideRepository, userLocationSource, serialNumbers] in
            // Who cannot be told of a ride can still ask for one: the service refuses a second.
            if let ride = try? await newRideRepository.activeRide() {
                actionDispatcher.dispatch(.foundActiveRide(ride, scope: serialNumbers.next()))
            } else if !Task.isCancelled {
                await Self.locate(userLocationSource, actionDispatcher, serialNumbers)
            }
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
        locating.run { [actionDispatcher, userLocationSource, serialNumbers] in
            await Self.locate(userLocationSource, actionDispatcher, serialNumbers)
        }
    }

    private static func locate(
        _ userLocationSource: any UserLocationSource,
        _ actionDispatcher: any ActionDispatcher<GettingUserLocationAction>,
        _ serialNumbers: SerialNumbers
    ) async {
        do throws(ErrorMessage) {
            let location = try await userLocationSource.userLocation()
            actionDispatcher.dispatch(.foundUserLocation(location, scope: serialNumbers.next()))
        } catch {
            actionDispatcher.dispatch(.failed(ErrorToPresent(id: serialNumbers.next(), message: error)))
        }
    }
}
