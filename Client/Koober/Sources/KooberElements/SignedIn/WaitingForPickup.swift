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

protocol WaitingForPickupInteractionResponder: ErrorInteractionResponder {
    func cancelRide()
    func startNewRide()
}

typealias WaitingForPickupUseCases = WaitingForPickupUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The screen of a requested ride. It follows the ride while it is active.
final class WaitingForPickupController: ScreenController<
    any WaitingForPickupInteractionResponder, any WaitingForPickupUseCases
>, WaitingForPickupInteractionResponder
{
    private let following = RunningUseCases()

    required init(userInterface: UserInterface, observer: any Observer, useCases: any WaitingForPickupUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    override func activate() {
        super.activate()
        following.start(useCases.makeFollowRideUseCase())
    }

    override func deactivate() {
        super.deactivate()
        following.cancel()
    }

    func cancelRide() { running.start(useCases.makeCancelRideUseCase()) }

    func startNewRide() { useCases.makeStartNewRideUseCase().start() }

    /// Follows the ride again if the error interrupted it.
    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        following.start(useCases.makeResumeRideUseCase(after: error))
    }
}

final class WaitingForPickupView: ContentView<any WaitingForPickupInteractionResponder> {
    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .cancelRide: interactionResponder?.cancelRide()
        case .startNewRide: interactionResponder?.startNewRide()
        default: return super.perform(intention)
        }
        return true
    }
}
