import KooberKit
import KooberScreens
import PouchEntities
import Testing

@testable import KooberElements

/// Something that a controller does with its fakes.
enum ControllerEvent: Equatable {
    case starts(UseCaseCall)
    case cancels(UseCaseCall)
    case observes(FakeObserver.Input = .state)
    case stopsObserving(FakeObserver.Input = .state)
    case renders(ScreenViewState)
    /// A child, which is named by its screen.
    case makes(OnboardingState.Screen)
    case activates(OnboardingState.Screen)
    case deactivates(OnboardingState.Screen)
}

/// A use case with the values that its factory gets.
enum UseCaseCall: Equatable {
    case finishedPresenting(ErrorMessage)
    case findRideOrLocation
    case presentPicker(Bool)
    case search(String, choosesMatch: Bool)
    case selectDropoff(NamedLocation, option: String?)
    case selectOption(String)
    case requestRide
}

/// Everything that a controller knows, as fakes with one common log.
@MainActor final class ControllerFakes {
    private(set) lazy var observer = FakeObserver(.state, self)
    private(set) lazy var sizeObserver = FakeObserver(.size, self)
    private var events: [ControllerEvent] = []
    /// The use cases run until they are cancelled or a test ends them.
    private var running: [FakeUseCase] = []

    func screen<Responder>() -> FakeUserInterface<Responder> { FakeUserInterface(self) }
    /// Ends the running use cases: they no longer keep themselves alive.
    func endUseCases() { running = [] }
    func log(_ event: ControllerEvent) { events.append(event) }
    func forget() { events = [] }

    /// Requires that exactly this happened since the last call.
    func expect(_ expected: [ControllerEvent], _ location: SourceLocation = #_sourceLocation) {
        #expect(events == expected, sourceLocation: location)
        forget()
    }

    private func make(_ call: UseCaseCall) -> any CancelableUseCase {
        let useCase = FakeUseCase(call, self)
        running.append(useCase)
        return useCase
    }

    private func make(_ child: OnboardingState.Screen) -> any Controller {
        log(.makes(child))
        return FakeChild(child, self)
    }
}

extension ControllerFakes: OnboardingChildFactory {
    func makeWelcomeController() -> any Controller { make(.welcome) }
    func makeSignInController() -> any Controller { make(.signIn) }
    func makeSignUpController() -> any Controller { make(.signUp) }
}

extension ControllerFakes: FinishedPresentingErrorUseCaseFactory, FindRideOrLocationUseCaseFactory,
    DropoffUseCaseFactory, RideUseCaseFactory
{
    func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase { make(.finishedPresenting(error)) }
    func makeFindRideOrLocationUseCase() -> any CancelableUseCase { make(.findRideOrLocation) }
    func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase { make(.presentPicker(isPresented)) }
    func makeSearchDropoffLocationsUseCase(query: String, choosesMatch: Bool) -> any CancelableUseCase {
        make(.search(query, choosesMatch: choosesMatch))
    }
    func makeSelectDropoffLocationUseCase(
        _ location: NamedLocation, option: PricedRideOption.ID?
    ) -> any CancelableUseCase { make(.selectDropoff(location, option: option)) }
    func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase { make(.selectOption(id)) }
    func makeRequestRideUseCase() -> any CancelableUseCase { make(.requestRide) }
}

@MainActor final class FakeObserver: Observer {
    /// The pretended source.
    enum Input { case state, size }

    private let input: Input
    private unowned let fakes: ControllerFakes
    private var isObserving = false

    init(_ input: Input, _ fakes: ControllerFakes) { (self.input, self.fakes) = (input, fakes) }

    func startObserving() {
        guard !isObserving else { return }
        isObserving = true
        fakes.log(.observes(input))
    }

    func stopObserving() {
        guard isObserving else { return }
        isObserving = false
        fakes.log(.stopsObserving(input))
    }
}

/// Holds its responder weakly, like every user interface.
@MainActor final class FakeUserInterface<Responder>: UserInterface {
    private weak var responder: AnyObject?
    private unowned let fakes: ControllerFakes

    init(_ fakes: ControllerFakes) { self.fakes = fakes }

    var interactionResponder: Responder? {
        get { responder as? Responder }
        set { responder = newValue as AnyObject }
    }

    func render(newState: ScreenViewState) { fakes.log(.renders(newState)) }
}

@MainActor private final class FakeChild: Controller {
    private let screen: OnboardingState.Screen
    private unowned let fakes: ControllerFakes

    init(_ screen: OnboardingState.Screen, _ fakes: ControllerFakes) { (self.screen, self.fakes) = (screen, fakes) }
    func activate() { fakes.log(.activates(screen)) }
    func deactivate() { fakes.log(.deactivates(screen)) }
}

@MainActor private final class FakeUseCase: CancelableUseCase {
    private let call: UseCaseCall
    private unowned let fakes: ControllerFakes

    init(_ call: UseCaseCall, _ fakes: ControllerFakes) { (self.call, self.fakes) = (call, fakes) }
    func start() { fakes.log(.starts(call)) }
    func cancel() { fakes.log(.cancels(call)) }
}
