import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

/// The steps of launching, signing in and signing up over the remote API and the data store.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SigningInUseCaseTests {
    enum Form: CaseIterable {
        case signIn, signUp

        /// With blanks around the e-mail address.
        @MainActor
        func makeUseCase(_ container: OnboardingContainer, password: String = "secret") -> any CancelableUseCase {
            switch self {
            case .signIn:
                container.makeSignInUseCase(email: " ada@example.org ", password: Secret(password))
            case .signUp:
                container.makeSignUpUseCase(
                    name: "Ada", email: " ada@example.org ", mobileNumber: "", password: Secret(password))
            }
        }

        /// The call with the completed input.
        var call: ModelCall {
            get throws {
                let (email, password) = ("ada@example.org", Secret("secret"))
                return switch self {
                case .signIn: .signIn(try Credentials(email: email, password: password))
                case .signUp:
                    .signUp(try NewAccount(name: "Ada", email: email, mobileNumber: "", password: password))
                }
            }
        }
    }

    private let model = GatedModel()
    private let app: AppContainer
    private let onboarding: OnboardingContainer
    private let events: Received<AppEvent>

    init() {
        app = AppContainer(model: model)
        app.makePresentOnboardingUseCase(error: nil).start()
        onboarding = OnboardingContainer(app: app)
        events = Received(app.events)
    }

    @Test(arguments: Form.allCases)
    func `the session is stored before the signed-in app is shown`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        #expect(onboarding.onboarding.state.form == FormScreen(isBusy: true))
        try await model.passes(form.call)
        try await model.calls.isAsked()
        #expect(app.main.state == .onboarding(nil))
        try await model.passes(.save(Sample.session))
        try await eventually { app.main.state == .signedIn(Sample.session) }
        #expect(events.values == [.signedIn(Sample.session.id)])
        #expect(model.calls.asked == [try form.call, .save(Sample.session)])
    }

    @Test(arguments: Form.allCases)
    func `a session that cannot be stored is ended at the service`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        try await model.passes(form.call)
        let error = try await model.fails(.save(Sample.session))
        // The first error counts, even if the session goes on.
        try await model.fails(.signOut(Sample.session), with: Sample.laterError)
        try await eventually { onboarding.onboarding.state.errors == [error] }
        #expect(app.main.state == .onboarding(nil) && events.values.isEmpty)
    }

    @Test(arguments: Form.allCases)
    func `the service's problems are shown at their fields, and nothing is stored`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        let problems = [FormField.email: Phrase.emailTaken]
        let call = try form.call
        _ = try await model.calls.fails(
            ErrorMessage(title: .signUpFailed, message: .emailTaken, fields: problems)
        ) { $0 == call }
        try await eventually { onboarding.onboarding.state.form == FormScreen(problems: problems) }
        #expect(onboarding.onboarding.state.errors.isEmpty)
        #expect(app.main.state == .onboarding(nil) && model.calls.asked == [call] && events.values.isEmpty)
    }

    @Test(arguments: Form.allCases)
    func `a form that is being sent blocks other forms and navigation`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        try await model.calls.isAsked()
        let before = onboarding.onboarding.state
        for other in Form.allCases {
            other.makeUseCase(onboarding).start()
            other.makeUseCase(onboarding, password: "").start()
        }
        onboarding.makeNavigateOnboardingUseCase(to: .welcome).start()
        await turnsPass()
        #expect(model.calls.asked.count == 1 && onboarding.onboarding.state == before)
    }
}

@MainActor @Suite(.timeLimit(.minutes(5)))
struct LaunchUseCaseTests {
    @Test func `a session that is read after the launch is not shown`() async throws {
        let model = GatedModel(storedSession: Sample.session)
        let app = AppContainer(model: model)
        weak let launch = starts(LaunchContainer(app: app).makeLaunchUseCase())
        app.makePresentOnboardingUseCase(error: nil).start()
        try await model.passes(.readSession)
        try await eventually { launch == nil }
        #expect(app.main.state == .onboarding(nil))
    }
}

/// Starts and returns the use case, without keeping it.
@MainActor
func starts(_ useCase: any CancelableUseCase) -> any CancelableUseCase {
    useCase.start()
    return useCase
}

/// The use cases of a session over the remote API and the data store.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SessionUseCaseTests {
    private let model = GatedModel()
    private let app: AppContainer
    private let container: SignedInContainer
    private let events: Received<AppEvent>

    init() async throws {
        app = AppContainer(model: model)
        let onboarding = OnboardingContainer(app: app)
        onboarding.makeSignInUseCase(email: "ada@example.org", password: Secret("secret")).start()
        for _ in 1...2 { try await model.calls.passes() }
        container = SignedInContainer(app: app, userSession: Sample.session)
        try await eventually { [app] in app.main.state == .signedIn(Sample.session) }
        events = Received(app.events)
    }

    /// The calls after those of signing in.
    private var asked: [ModelCall] { Array(model.calls.asked.dropFirst(2)) }

    @Test func `signing out ends the session at the service, and then on the device`() async throws {
        container.makeSignOutUseCase().start()
        #expect(container.signedIn.state.profile == .signingOut)
        try await model.passes(.signOut(Sample.session))
        try await model.calls.isAsked()
        #expect(app.main.state == .signedIn(Sample.session))
        try await model.passes(.delete(Sample.session))
        try await eventually { app.main.state == .onboarding(nil) }
        #expect(events.values == [.signedOut])
        #expect(asked == [.signOut(Sample.session), .delete(Sample.session)])
    }

    @Test(arguments: [true, false], [true, false])
    func `the first failure is shown, and the session ends on the device all the same`(
        _ serviceFails: Bool, _ storeFails: Bool
    ) async throws {
        container.makeSignOutUseCase().start()
        try await model.answers(.signOut(Sample.session), successfully: !serviceFails)
        try await model.answers(.delete(Sample.session), successfully: !storeFails, orWith: Sample.laterError)
        let error = serviceFails ? Sample.error : storeFails ? Sample.laterError : nil
        try await eventually { app.main.state == .onboarding(error) }
        #expect(events.values == [.signedOut])
    }

    @Test func `the user signs out once, and the profile stays open until the answer`() async throws {
        container.makePresentProfileUseCase(isPresented: true).start()
        container.makeSignOutUseCase().start()
        try await model.calls.isAsked()
        container.makeSignOutUseCase().start()
        container.makePresentProfileUseCase(isPresented: false).start()
        await turnsPass()
        #expect(container.signedIn.state.profile == .signingOut)
        #expect(asked == [.signOut(Sample.session)])
    }

    @Test func `a cancelled sign-out still ends the session on the device, and shows nothing`() async throws {
        model.calls.keepsCancelled()
        let useCase = container.makeSignOutUseCase()
        useCase.start()
        try await model.calls.isAsked()
        useCase.cancel()
        try await model.passes(.signOut(Sample.session))
        try await model.passes(.delete(Sample.session))
        await turnsPass()
        #expect(app.main.state == .signedIn(Sample.session) && events.values.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a session that ends elsewhere is deleted here before its end is an event`(_ isDeleted: Bool) async throws {
        container.makeFollowSessionUseCase().start()
        try await eventually { model.ends.followerCount == 1 }
        model.ends.send(Sample.laterError)
        try await model.calls.isAsked()
        #expect(events.values.isEmpty)
        try await model.answers(.delete(Sample.session), successfully: isDeleted)
        try await eventually { events.values == [.sessionEnded(Sample.laterError)] }
    }

    @Test func `a session that ends by signing out is no event`() async throws {
        weak let following = starts(container.makeFollowSessionUseCase())
        try await eventually { model.ends.followerCount == 1 }
        model.ends.finish()
        try await eventually { following == nil }
        #expect(events.values.isEmpty && asked.isEmpty)
    }

    @Test func `a cancelled follower leaves the session, and its late deletion is no event`() async throws {
        let following = container.makeFollowSessionUseCase()
        following.start()
        try await eventually { model.ends.followerCount == 1 }
        model.calls.keepsCancelled()
        model.ends.send(Sample.error)
        try await model.calls.isAsked()
        following.cancel()
        try await model.passes(.delete(Sample.session))
        try await eventually { model.ends.followerCount == 0 }
        #expect(events.values.isEmpty)
    }

    @Test func `the location is found without a ride in progress, and only once`() async throws {
        container.makeFindRideOrLocationUseCase().start()
        try await model.passes(.findRide)
        try await model.passes(.findLocation)
        try await eventually { container.signedIn.state.screen == .pickMeUp(pickupLocation: Sample.sydney) }
        container.makeFindRideOrLocationUseCase().start()
        await turnsPass()
        #expect(asked == [.findRide, .findLocation])
    }

    @Test(arguments: [true, false])
    func `of two searches only the first answer counts`(_ succeeds: Bool) async throws {
        weak let one = starts(container.makeFindRideOrLocationUseCase())
        weak let other = starts(container.makeFindRideOrLocationUseCase())
        for _ in 1...2 { try await model.passes(.findRide) }
        try await model.passes(.findLocation)
        try await eventually { container.signedIn.state.screen != .gettingUserLocation }
        let located = container.signedIn.state
        try await model.answers(.findLocation, successfully: succeeds)
        try await eventually { one == nil && other == nil }
        #expect(container.signedIn.state == located)
    }
}
