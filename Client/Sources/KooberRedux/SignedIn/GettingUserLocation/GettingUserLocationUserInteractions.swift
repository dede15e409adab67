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

    /// Goes on with the ride that is under way, if there is one.
    func begin() {
        locating.run { [actionDispatcher, newRideRepository, userLocationSource, serialNumbers] in
            do throws(ErrorMessage) {
                if let ride = try await newRideRepository.activeRide() {
                    return actionDispatcher.dispatch(.foundActiveRide(ride, scope: serialNumbers.next()))
                }
                actionDispatcher.dispatch(.foundNoActiveRide)
            } catch {
                actionDispatcher.dispatch(.activeRideUnknown(error))
            }
            guard !Task.isCancelled else { return }
            await Self.locate(userLocationSource, actionDispatcher, serialNumbers)
        }
    }

    /// Tries again.
    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id)) {
            [locating, actionDispatcher, userLocationSource, serialNumbers] in
            locating.run { await Self.locate(userLocationSource, actionDispatcher, serialNumbers) }
        }
    }

    private static func locate(
        _ userLocationSource: any UserLocationSource,
        _ actionDispatcher: any ActionDispatcher<GettingUserLocationAction>,
        _ serialNumbers: SerialNumbers
    ) async {
        await actionDispatcher.dispatch(
            { () async throws(ErrorMessage) in try await userLocationSource.userLocation() }, serialNumbers,
            success: { .foundUserLocation($0, scope: serialNumbers.next()) }, failure: { .failed($0) })
    }
}
