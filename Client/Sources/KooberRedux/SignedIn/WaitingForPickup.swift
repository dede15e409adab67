import KooberKit
import KooberScreens
import PouchEntities

/// The state from the request of a ride to the next ride.
public struct WaitingForPickupState: Equatable, Sendable {
    /// Acknowledging the error of a lost ride resumes its updates.
    public enum Following: Equatable, Sendable {
        case following
        case lost(ErrorToPresent)
    }

    public let scope: SerialNumber
    public private(set) var ride: Ride
    public internal(set) var following = Following.following
    /// The request to cancel the ride; nil without one, and once the ride has ended.
    public private(set) var cancellation: SerialNumber?
    public internal(set) var errors: [ErrorToPresent] = []

    /// Ignores late updates of a ride that has ended.
    mutating func update(_ ride: Ride) {
        guard !self.ride.status.isFinal else { return }
        self.ride = ride
        if ride.status.isFinal { cancellation = nil }
    }

    mutating func lose(_ error: ErrorToPresent) {
        guard following == .following, !ride.status.isFinal else { return }
        following = .lost(error)
    }

    mutating func startCancellation(_ request: SerialNumber) {
        guard cancellation == nil, ride.status.isCancellable else { return }
        cancellation = request
    }

    mutating func endCancellation() {
        cancellation = nil
    }

    var errorsToPresent: [ErrorToPresent] {
        switch following {
        case .following: errors
        case .lost(let error): errors + [error]
        }
    }
}

public enum WaitingForPickupAction: Equatable, Sendable {
    case rideUpdated(Ride)
    case lostRide(ErrorToPresent)
    case cancelling(request: SerialNumber)
    case cancelled(Ride, request: SerialNumber)
    case cancellationFailed(ErrorToPresent, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
    /// - Parameter scope: the scope of the next step, which finds the user's location again.
    case startNewRide(scope: SerialNumber)
}

extension Reducers {
    /// Handles all actions but the start of the next ride.
    static func waitingForPickup(
        _ state: WaitingForPickupState, _ action: WaitingForPickupAction
    ) -> WaitingForPickupState {
        var state = state
        switch action {
        case .rideUpdated(let ride): state.update(ride)
        case .lostRide(let error): state.lose(error)
        case .cancelling(let request): state.startCancellation(request)
        case .cancelled(let ride, state.cancellation):
            state.endCancellation()
            state.update(ride)
        case .cancellationFailed(let error, state.cancellation):
            state.endCancellation()
            state.errors.append(error)
        case .finishedPresenting(let id):
            state.errors.removeAll { $0.id == id }
            if case .lost(let error) = state.following, error.id == id { state.following = .following }
        case .cancelled, .cancellationFailed, .startNewRide: break
        }
        return state
    }
}

// MARK: User interactions

@MainActor
struct WaitingForPickupUserInteractions {
    let actionDispatcher: any ActionDispatcher<WaitingForPickupAction>
    let newRideRepository: any NewRideRepository
    private let following = LatestTask()
    private let cancelling = LatestTask()

    /// Dispatches updates of the ride until it ends.
    func follow(_ ride: Ride) {
        guard !ride.status.isFinal else { return }
        let updates = newRideRepository.updates(of: ride)
        following.run { [actionDispatcher] in
            do {
                for try await ride in updates { actionDispatcher.dispatch(.rideUpdated(ride)) }
            } catch {
                actionDispatcher.dispatch(.lostRide(actionDispatcher.numbered(ErrorMessage(error))))
            }
        }
    }

    func cancel(_ ride: Ride) {
        cancelling.send(to: actionDispatcher) {
            .cancelling(request: $0)
        } call: { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.cancel(ride)
        } success: {
            .cancelled($0, request: $1)
        } failure: {
            .cancellationFailed($0, request: $1)
        }
    }

    func startNewRide() {
        actionDispatcher.dispatch(.startNewRide(scope: actionDispatcher.nextSerialNumber()))
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}

// MARK: View

final class WaitingForPickupView: StateView {
    private let state: LatestState<WaitingForPickupState>
    private let userInteractions: WaitingForPickupUserInteractions

    init(
        state: StatePublisher<WaitingForPickupState>,
        userInteractions: WaitingForPickupUserInteractions
    ) {
        self.state = LatestState(state)
        self.userInteractions = userInteractions
    }

    func appear() {
        guard let ride = state.value?.ride else { return }
        userInteractions.follow(ride)
    }

    func perform(_ intention: Intention) {
        guard let ride = state.value?.ride else { return }
        switch intention {
        case .cancelRide: userInteractions.cancel(ride)
        case .startNewRide: userInteractions.startNewRide()
        default: break
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        guard let state = state.value else { return }
        userInteractions.finishedPresenting(error)
        if state.following == .lost(error) { userInteractions.follow(state.ride) }
    }
}
