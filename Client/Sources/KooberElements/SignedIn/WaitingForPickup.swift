import KooberKit
import KooberScreens
import PouchEntities

/// A requested ride, until the user starts the next one.
public struct WaitingForPickupState: PresentsErrors {
    public var ride: Ride
    public var isCancelling = false
    /// The error that interrupted the updates of the ride. Acknowledging it resumes them.
    public var interruption: ErrorMessage.ID?
    public var errors: [ErrorMessage] = []
}

/// The state of the view of a requested ride.
struct WaitingForPickupViewState: Sendable, Equatable {
    let ride: Ride
    let isCancelling: Bool
    /// The shown error; nil without one.
    let error: ErrorMessage?

    init(_ state: WaitingForPickupState) {
        ride = state.ride
        isCancelling = state.isCancelling
        error = state.errors.first
    }
}

protocol WaitingForPickupInteractionResponder: ErrorInteractionResponder {
    func cancelRide()
    func startNewRide()
}

typealias WaitingForPickupUseCases = WaitingForPickupUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The screen of a requested ride. It follows the ride while it is active.
final class WaitingForPickupController: ScreenController<
    any WaitingForPickupInteractionResponder, WaitingForPickupViewState, any WaitingForPickupUseCases
>, WaitingForPickupInteractionResponder
{
    private var state: WaitingForPickupState?
    private let following = RunningUseCases()

    required init(userInterface: UserInterface, observer: any Observer, useCases: any WaitingForPickupUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    override func activate() {
        super.activate()
        followRide()
    }

    override func deactivate() {
        super.deactivate()
        following.cancel()
    }

    func received(waiting: WaitingForPickupState) {
        state = waiting
        received(viewState: WaitingForPickupViewState(waiting))
    }

    func cancelRide() { running.start(useCases.makeCancelRideUseCase()) }

    func startNewRide() { useCases.makeStartNewRideUseCase().start() }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if state?.interruption == error.id { followRide() }
    }

    private func followRide() { following.replace(by: useCases.makeFollowRideUseCase()) }
}

// MARK: View

final class WaitingForPickupView: View, ScreenUserInterface {
    weak var interactionResponder: (any WaitingForPickupInteractionResponder)?

    func render(newState: WaitingForPickupViewState) {
        let screen = WaitingScreen(ride: newState.ride, isCancelling: newState.isCancelling)
        window.show(
            .waitingForPickup(screen), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .cancelRide: interactionResponder?.cancelRide()
        case .startNewRide: interactionResponder?.startNewRide()
        default: return false
        }
        return true
    }
}
