import KooberKit
import KooberScreens
import PouchEntities

@testable import KooberElements

/// Something that a controller does with its fakes.
enum ControllerEvent: Equatable {
    case starts(UseCaseCall)
    case cancels(UseCaseCall)
    case observes(FakeObserver.Input = .state)
    case stopsObserving(FakeObserver.Input = .state)
    case renders(ScreenViewState)
    case rendersProfile(ProfileScreen?)
    case rendersOffline(Bool)
    case clears
    case makes(FakeChild.Name)
    case activates(FakeChild.Name)
    case deactivates(FakeChild.Name)
}

/// A use case with the values that its factory gets.
enum UseCaseCall: Equatable {
    case launch
    case presentOnboarding(ErrorMessage?)
    case navigate(OnboardingState.Screen)
    case signIn(email: String, password: Secret)
    case signUp(name: String, email: String, mobileNumber: String, password: Secret)
    case finishedPresenting(ErrorMessage)
    case followSession, findRideOrLocation
    case presentProfile(Bool)
    case signOut
    case presentPicker(Bool)
    case search(String, choosesMatch: Bool)
    case selectDropoff(NamedLocation, option: String?)
    case selectOption(String)
    case requestRide, followRide
    case resumeRide(ErrorMessage)
    case cancelRide, startNewRide
}

/// Everything that a controller knows, as fakes with one common log.
@MainActor final class ControllerFakes {
    private(set) var events: [ControllerEvent] = []
    private(set) lazy var observer = FakeObserver(.state) { [unowned self] in events.append($0) }
    private(set) lazy var sizeObserver = FakeObserver(.size) { [unowned self] in events.append($0) }
    private(set) lazy var useCases = FakeUseCases { [unowned self] in events.append($0) }
    private(set) lazy var children = FakeChildren { [unowned self] in events.append($0) }

    func screen<Responder>() -> FakeUserInterface<Responder, ScreenViewState> {
        FakeUserInterface { [unowned self] in events.append(.renders($0)) }
    }

    func profile() -> FakeUserInterface<any ProfileInteractionResponder, ProfileScreen?> {
        FakeUserInterface { [unowned self] in events.append(.rendersProfile($0)) }
    }

    func window() -> FakeWindow { FakeWindow { [unowned self] in events.append($0) } }

    /// Returns what happened since the last call.
    func takeEvents() -> [ControllerEvent] {
        defer { events = [] }
        return events
    }
}

typealias ControllerLog = @MainActor (ControllerEvent) -> Void

@MainActor final class FakeObserver: Observer {
    /// The pretended source.
    enum Input { case state, size }

    private let input: Input
    private let log: ControllerLog
    private var isObserving = false

    init(_ input: Input, _ log: @escaping ControllerLog) {
        self.input = input
        self.log = log
    }

    func startObserving() {
        guard !isObserving else { return }
        isObserving = true
        log(.observes(input))
    }

    func stopObserving() {
        guard isObserving else { return }
        isObserving = false
        log(.stopsObserving(input))
    }
}

/// Holds its responder weakly, like every user interface.
@MainActor final class FakeUserInterface<Responder, ViewState>: UserInterface {
    private weak var responder: AnyObject?
    private let didRender: @MainActor (ViewState) -> Void

    init(_ didRender: @escaping @MainActor (ViewState) -> Void) { self.didRender = didRender }

    var interactionResponder: Responder? {
        get { responder as? Responder }
        set { responder = newValue as AnyObject }
    }

    func render(newState: ViewState) { didRender(newState) }
}

@MainActor final class FakeWindow: MainUserInterface {
    private let log: ControllerLog

    init(_ log: @escaping ControllerLog) { self.log = log }
    func clear() { log(.clears) }
    func render(isOffline: Bool) { log(.rendersOffline(isOffline)) }
}

// MARK: Children

@MainActor final class FakeChild: Controller {
    /// The values that its factory gets.
    enum Name: Equatable {
        case launch
        case onboarding(ErrorMessage?)
        case signedIn(UserSession)
        case welcome, signIn, signUp
        case gettingUserLocation
        case pickMeUp(GeoPoint)
        case waitingForPickup(Ride)
        case profile
    }

    private let name: Name
    private let log: ControllerLog

    init(_ name: Name, _ log: @escaping ControllerLog) {
        self.name = name
        self.log = log
    }

    func activate() { log(.activates(name)) }
    func deactivate() { log(.deactivates(name)) }
}

@MainActor final class FakeChildren: MainChildFactory, OnboardingChildFactory, SignedInChildFactory {
    private let log: ControllerLog

    init(_ log: @escaping ControllerLog) { self.log = log }

    /// The child that its parent gets when it is made.
    func profile() -> any Controller { FakeChild(.profile, log) }
    func makeLaunchController() -> any Controller { make(.launch) }
    func makeOnboardingController(error: ErrorMessage?) -> any Controller { make(.onboarding(error)) }
    func makeSignedInController(userSession: UserSession) -> any Controller { make(.signedIn(userSession)) }
    func makeWelcomeController() -> any Controller { make(.welcome) }
    func makeSignInController() -> any Controller { make(.signIn) }
    func makeSignUpController() -> any Controller { make(.signUp) }
    func makeGettingUserLocationController() -> any Controller { make(.gettingUserLocation) }
    func makePickMeUpController(pickupLocation: GeoPoint) -> any Controller { make(.pickMeUp(pickupLocation)) }
    func makeWaitingForPickupController(ride: Ride) -> any Controller { make(.waitingForPickup(ride)) }

    private func make(_ name: FakeChild.Name) -> any Controller {
        log(.makes(name))
        return FakeChild(name, log)
    }
}

/// Makes use cases that run until they are cancelled or a test ends them.
@MainActor final class FakeUseCases {
    private var running: [FakeUseCase] = []
    private let log: ControllerLog

    init(_ log: @escaping ControllerLog) { self.log = log }

    /// Ends the running use cases: they no longer keep themselves alive.
    func end() { running = [] }

    private func make(_ call: UseCaseCall) -> any CancelableUseCase {
        let useCase = FakeUseCase(call, log)
        running.append(useCase)
        return useCase
    }
}

@MainActor private final class FakeUseCase: CancelableUseCase {
    private let call: UseCaseCall
    private let log: ControllerLog

    init(_ call: UseCaseCall, _ log: @escaping ControllerLog) {
        self.call = call
        self.log = log
    }

    func start() { log(.starts(call)) }
    func cancel() { log(.cancels(call)) }
}

extension FakeUseCases: LaunchUseCaseFactory, PresentOnboardingUseCaseFactory, NavigateOnboardingUseCaseFactory,
    SignInUseCaseFactory, SignUpUseCaseFactory, FinishedPresentingErrorUseCaseFactory
{
    func makeLaunchUseCase() -> any CancelableUseCase { make(.launch) }
    func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase { make(.presentOnboarding(error)) }
    func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase { make(.navigate(screen)) }
    func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase {
        make(.signIn(email: email, password: password))
    }
    func makeSignUpUseCase(
        name: String, email: String, mobileNumber: String, password: Secret
    ) -> any CancelableUseCase {
        make(.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password))
    }
    func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase { make(.finishedPresenting(error)) }
}

extension FakeUseCases: FollowSessionUseCaseFactory, FindRideOrLocationUseCaseFactory, ProfileUseCaseFactory {
    func makeFollowSessionUseCase() -> any CancelableUseCase { make(.followSession) }
    func makeFindRideOrLocationUseCase() -> any CancelableUseCase { make(.findRideOrLocation) }
    func makePresentProfileUseCase(isPresented: Bool) -> any UseCase { make(.presentProfile(isPresented)) }
    func makeSignOutUseCase() -> any CancelableUseCase { make(.signOut) }
}

extension FakeUseCases: DropoffUseCaseFactory, RideUseCaseFactory, WaitingForPickupUseCaseFactory {
    func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase { make(.presentPicker(isPresented)) }
    func makeSearchDropoffLocationsUseCase(query: String, choosesMatch: Bool) -> any CancelableUseCase {
        make(.search(query, choosesMatch: choosesMatch))
    }
    func makeSelectDropoffLocationUseCase(
        _ location: NamedLocation, option: PricedRideOption.ID?
    ) -> any CancelableUseCase { make(.selectDropoff(location, option: option)) }
    func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase { make(.selectOption(id)) }
    func makeRequestRideUseCase() -> any CancelableUseCase { make(.requestRide) }
    func makeFollowRideUseCase() -> any CancelableUseCase { make(.followRide) }
    func makeResumeRideUseCase(after error: ErrorMessage) -> any CancelableUseCase { make(.resumeRide(error)) }
    func makeCancelRideUseCase() -> any CancelableUseCase { make(.cancelRide) }
    func makeStartNewRideUseCase() -> any UseCase { make(.startNewRide) }
}
