import Foundation
import KooberKit
import KooberScreens
import PouchEntities

/// The state from the request of a ride to the next ride.
public struct WaitingForPickupState: Codable, Equatable, Sendable {
    public var ride: Ride
    /// The error that interrupted the updates of the ride. Acknowledging it resumes them.
    public var interruption: ErrorMessage.ID?
    public var isCancelling = false

    public init(ride: Ride) {
        self.ride = ride
    }

    public var effects: Set<WaitingForPickupEffect> {
        guard !ride.status.isFinal else { return [] }
        return Set(
            [interruption == nil ? .follow(ride.id) : nil, isCancelling ? .cancel(ride.id) : nil].compactMap(\.self))
    }

    mutating func acknowledge(_ error: ErrorMessage) {
        if interruption == error.id { interruption = nil }
    }

    fileprivate mutating func update(_ ride: Ride) {
        self.ride = ride
        if ride.status.isFinal { isCancelling = false }
    }
}

public enum WaitingForPickupAction: Codable, Equatable, Sendable {
    case rideUpdated(Ride)
    case lostRide(ErrorMessage)
    case cancelRide
    case cancelled(Ride)
    case cancellationFailed(ErrorMessage)
    case startNewRide
}

public enum WaitingForPickupEffect: Codable, Hashable, Sendable {
    case follow(Ride.ID)
    case cancel(Ride.ID)
}

extension Reducers {
    /// Handles all actions except the start of the next ride. A response is applied only while the state waits for it.
    static func waitingForPickup(
        _ state: inout WaitingForPickupState, _ action: WaitingForPickupAction, errors: inout [ErrorMessage]
    ) {
        switch action {
        case .rideUpdated(let ride) where state.effects.contains(.follow(ride.id)): state.update(ride)
        case .lostRide(let error) where state.effects.contains(.follow(state.ride.id)):
            state.interruption = error.id
            errors.append(error)
        case .cancelRide where state.ride.status.isCancellable: state.isCancelling = true
        case .cancelled(let ride) where state.effects.contains(.cancel(ride.id)):
            state.isCancelling = false
            state.update(ride)
        case .cancellationFailed(let error) where state.effects.contains(.cancel(state.ride.id)):
            state.isCancelling = false
            errors.append(error)
        default: break
        }
    }
}

// MARK: User interactions

@MainActor
public protocol WaitingForPickupUserInteractions: AnyObject {
    func cancelRide()
    func startNewRide()
}

final class ReduxWaitingForPickupUserInteractions: WaitingForPickupUserInteractions {
    private let actionDispatcher: any ActionDispatcher<WaitingForPickupAction>
    private let effects: EffectRunner<WaitingForPickupEffect>

    init(
        state: StatePublisher<WaitingForPickupState>, actionDispatcher: any ActionDispatcher<WaitingForPickupAction>,
        newRideRepository: any NewRideRepository
    ) {
        self.actionDispatcher = actionDispatcher
        effects = EffectRunner(state.select(\.effects), to: actionDispatcher) { effect, dispatch in
            switch effect {
            case .follow(let id):
                do {
                    for try await ride in newRideRepository.updates(of: id) { dispatch(.rideUpdated(ride)) }
                } catch {
                    dispatch(.lostRide(ErrorMessage(error)))
                }
            case .cancel(let id):
                do throws(ErrorMessage) {
                    dispatch(.cancelled(try await newRideRepository.cancel(id)))
                } catch {
                    dispatch(.cancellationFailed(error))
                }
            }
        }
    }

    func cancelRide() { actionDispatcher.dispatch(.cancelRide) }

    func startNewRide() { actionDispatcher.dispatch(.startNewRide) }
}

// MARK: View

final class WaitingForPickupView: StateView {
    private let userInteractions: any WaitingForPickupUserInteractions

    init(
        screen: StatePublisher<WaitingScreen>, userInteractions: any WaitingForPickupUserInteractions,
        in display: any Display
    ) {
        self.userInteractions = userInteractions
        super.init(in: display)
        render(screen) { display.show(.waitingForPickup($0)) }
    }

    override func perform(_ intention: Intention) {
        switch intention {
        case .cancelRide: userInteractions.cancelRide()
        case .startNewRide: userInteractions.startNewRide()
        default: break
        }
    }
}

extension WaitingScreen {
    init(_ state: WaitingForPickupState) {
        self.init(ride: state.ride, isCancelling: state.isCancelling)
    }
}
