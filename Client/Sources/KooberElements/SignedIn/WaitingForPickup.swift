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

    public init(ride: Ride) {
        self.ride = ride
    }
}

struct WaitingForPickupViewState: Sendable, Equatable {
    let ride: Ride
    let isCancelling: Bool
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

final class WaitingForPickupController: ScreenController, WaitingForPickupInteractionResponder {
    typealias UserInterface = any ScreenUserInterface<
        any WaitingForPickupInteractionResponder, WaitingForPickupViewState
    >
    typealias UseCases = FollowRideUseCaseFactory & CancelRideUseCaseFactory & StartNewRideUseCaseFactory
        & FinishedPresentingErrorUseCaseFactory

    private let userInterface: UserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private var state: WaitingForPickupState?
    private let following = RunningUseCases()
    private let cancelling = RunningUseCases()

    init(userInterface: UserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {
        observer.startObserving()
        followRide()
    }

    func deactivate() {
        observer.stopObserving()
        following.cancel()
        cancelling.cancel()
    }

    func received(newState: WaitingForPickupState) {
        state = newState
        userInterface.render(newState: WaitingForPickupViewState(newState))
    }

    func cancelRide() { cancelling.start(useCases.makeCancelRideUseCase()) }

    func startNewRide() { useCases.makeStartNewRideUseCase().start() }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        if state?.interruption == error.id { followRide() }
    }

    private func followRide() { following.replace(by: useCases.makeFollowRideUseCase()) }
}

// MARK: View

final class WaitingForPickupView: ScreenUserInterface, View {
    weak var interactionResponder: (any WaitingForPickupInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: WaitingForPickupViewState) {
        window.show(
            .waitingForPickup(WaitingScreen(newState)), error: newState.error, in: self,
            errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .cancelRide: interactionResponder?.cancelRide()
        case .startNewRide: interactionResponder?.startNewRide()
        default: return false
        }
        return true
    }
}

extension WaitingScreen {
    fileprivate init(_ state: WaitingForPickupViewState) {
        self.init(ride: state.ride, isCancelling: state.isCancelling)
    }
}
