import KooberKit
import KooberScreens
import PouchEntities

@testable import KooberElements

/// Makes use cases that run until they are cancelled or a test ends them.
@MainActor
final class FakeUseCases {
    private var running: [FakeUseCase] = []
    private let log: ControllerLog

    init(_ log: @escaping ControllerLog) {
        self.log = log
    }

    /// Ends the running use cases: they no longer keep themselves alive.
    func end() { running = [] }

    private func make(_ call: UseCaseCall) -> any CancelableUseCase {
        let useCase = FakeUseCase(call, log)
        running.append(useCase)
        return useCase
    }
}

@MainActor
private final class FakeUseCase: CancelableUseCase {
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
