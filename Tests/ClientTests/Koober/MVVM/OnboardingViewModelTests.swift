import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OnboardingViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private var world: World { trip.world }
    private var repository: any UserSessionRepository {
        world.makeUserSessionRepository(dataStore: world.makeUserSessionDataStore())
    }

    @Test func `a view is asked for until it is reported as presented`() throws {
        let viewModel = OnboardingViewModel()
        #expect(viewModel.navigationAction == .present(view: .welcome))
        viewModel.uiPresented(.welcome)
        #expect(viewModel.navigationAction == .presented(view: .welcome))
        try viewModel.navigateToSignIn()
        #expect(viewModel.navigationAction == .present(view: .signIn))
        viewModel.uiPresented(.signIn)
        #expect(viewModel.navigationAction == .presented(view: .signIn))
        // The system goes back.
        viewModel.uiPresented(.welcome)
        try viewModel.navigateToSignIn()
        #expect(viewModel.navigationAction == .present(view: .signIn))
        viewModel.uiPresented(.welcome)
        try viewModel.navigateToSignUp()
        #expect(viewModel.navigationAction == .present(view: .signUp))
    }

    @Test(arguments: [OnboardingView.signIn, .signUp], [true, false])
    func `a form does not lead to another form`(_ view: OnboardingView, _ isPresented: Bool) throws {
        let viewModel = OnboardingViewModel()
        if view == .signIn { try viewModel.navigateToSignIn() } else { try viewModel.navigateToSignUp() }
        if isPresented { viewModel.uiPresented(view) }
        let before = viewModel.navigationAction
        #expect(throws: IllegalTransition.self) { try viewModel.navigateToSignIn() }
        #expect(throws: IllegalTransition.self) { try viewModel.navigateToSignUp() }
        #expect(viewModel.navigationAction == before)
    }

    @Test func `the welcome screen passes on the choice of the user`() throws {
        let viewModel = WelcomeViewModel(goToSignUpNavigator: responder, goToSignInNavigator: responder)
        try viewModel.showSignUpView()
        try viewModel.showSignInView()
        #expect(responder.events == [.goToSignUp, .goToSignIn])
    }

    @Test func `a form that is being sent is disabled, and stays so after signing in`() async throws {
        let viewModel = SignInViewModel(
            userSessionRepository: repository, submission: FormSubmission(signedInResponder: responder))
        #expect(viewModel.form.inputsEnabled && viewModel.form.buttonEnabled)
        #expect(!viewModel.form.activityIndicatorAnimating)
        viewModel.email = " \(world.service.rider.email)\n"
        viewModel.password = Secret(world.service.rider.password)
        try viewModel.signIn()
        let busy = viewModel.form
        #expect(!busy.inputsEnabled && !busy.buttonEnabled && busy.activityIndicatorAnimating)
        #expect(throws: IllegalTransition.self) { try viewModel.signIn() }
        let session = try await world.signIn.passes { $0 == trip.world.service.rider.email }
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.signedIn(session)])
        #expect(viewModel.form == busy)
        #expect(world.signIn.asked.count == 1)
    }

    @Test func `a failed sign-in can be repeated, and each failure is reported`() async throws {
        let viewModel = SignInViewModel(
            userSessionRepository: repository, submission: FormSubmission(signedInResponder: responder))
        viewModel.email = "ada@example.org"
        viewModel.password = Secret("wrong")
        let error = trip.error
        for count in 1...2 {
            try viewModel.signIn()
            try await world.signIn.fails(error)
            try await eventually { viewModel.form.buttonEnabled }
            #expect(viewModel.errorMessages.pending.map(\.message) == Array(repeating: error, count: count))
        }
        let (first, second) = (viewModel.errorMessages.pending[0], viewModel.errorMessages.pending[1])
        viewModel.errorMessages.acknowledge(first)
        viewModel.errorMessages.acknowledge(first)
        #expect(viewModel.errorMessages.pending.map { $0 === second } == [true])
        #expect(responder.events.isEmpty)
    }

    @Test(arguments: [("", ""), ("  ", "password"), ("ada@example.org", "")])
    func `signing in needs both fields`(_ email: String, _ password: String) throws {
        let viewModel = SignInViewModel(
            userSessionRepository: repository, submission: FormSubmission(signedInResponder: responder))
        viewModel.email = email
        viewModel.password = Secret(password)
        try viewModel.signIn()
        #expect(viewModel.errorMessages.pending.map(\.message.title) == ["Sign-in failed"])
        #expect(viewModel.form.buttonEnabled)
    }

    @Test(arguments: [(" ", "ada@example.org", "password"), ("Ada", "", "password"), ("Ada", "ada@example.org", "")])
    func `signing up needs all fields but the mobile number`(_ name: String, _ email: String, _ password: String) throws
    {
        let viewModel = SignUpViewModel(
            userSessionRepository: repository, submission: FormSubmission(signedInResponder: responder))
        viewModel.name = name
        viewModel.email = email
        viewModel.mobileNumber = "1"
        viewModel.password = Secret(password)
        try viewModel.signUp()
        #expect(viewModel.errorMessages.pending.map(\.message.title) == ["Sign-up failed"])
        #expect(viewModel.form.buttonEnabled)
    }

    @Test func `a sign-up sends the input, in the second try too`() async throws {
        let viewModel = SignUpViewModel(
            userSessionRepository: repository, submission: FormSubmission(signedInResponder: responder))
        viewModel.name = " Grace "
        viewModel.email = "grace@example.org "
        viewModel.password = Secret(" kept as it is ")
        try viewModel.signUp()
        #expect(throws: IllegalTransition.self) { try viewModel.signUp() }
        let error = try await world.signUp.fails()
        try await eventually { viewModel.form.buttonEnabled }
        #expect(viewModel.errorMessages.pending.map(\.message) == [error])
        try viewModel.signUp()
        let session = try await world.signUp.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.signedIn(session)])
        let account = NewAccount(
            name: "Grace", email: "grace@example.org", mobileNumber: "", password: Secret(" kept as it is "))
        #expect(world.signUp.asked == [account, account])
    }

    @Test func `a deallocated form cancels its request`() async throws {
        var viewModel: SignInViewModel? = SignInViewModel(
            userSessionRepository: repository, submission: FormSubmission(signedInResponder: responder))
        weak let gone = viewModel
        viewModel?.email = "ada@example.org"
        viewModel?.password = Secret("password")
        try viewModel?.signIn()
        try await world.signIn.isAsked()
        viewModel = nil
        #expect(gone == nil)
        try await eventually { world.signIn.waiting.isEmpty }
        #expect(responder.events.isEmpty)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LaunchViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let viewModel: LaunchViewModel
    private var world: World { trip.world }

    init() {
        viewModel = LaunchViewModel(
            userSessionRepository: trip.world.makeUserSessionRepository(
                dataStore: trip.world.makeUserSessionDataStore()),
            notSignedInResponder: responder, signedInResponder: responder)
    }

    @Test func `a launch without a session`() async throws {
        viewModel.loadUserSession()
        try await world.readUserSession.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(nil)])
    }

    @Test func `a launch with a session`() async throws {
        try await world.hasSignedIn(world.service.rider)
        viewModel.loadUserSession()
        let session = try #require(try await world.readUserSession.passes())
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.signedIn(session)])
    }

    @Test func `an unreadable session leads to the onboarding once the error is acknowledged`() async throws {
        viewModel.loadUserSession()
        let message = try await world.readUserSession.fails()
        try await eventually { !viewModel.errorMessages.pending.isEmpty }
        let error = try #require(viewModel.errorMessages.pending.first)
        #expect(error.message == message)
        #expect(responder.events.isEmpty)
        viewModel.errorMessages.acknowledge(error)
        viewModel.errorMessages.acknowledge(error)
        #expect(responder.events == [.notSignedIn(nil)])
    }

    @Test func `a session that ends in two ways at once ends once`() throws {
        let main = MainViewModel()
        #expect(main.view == .launching)
        try main.signedIn(to: trip.session)
        #expect(main.view == .signedIn(trip.session))
        #expect(throws: IllegalTransition.self) { try main.signedIn(to: trip.session) }
        let error = trip.error
        main.notSignedIn(error)
        main.notSignedIn(nil)
        main.notSignedIn(trip.error)
        #expect(main.view == .onboarding)
        #expect(main.errorMessages.pending.map(\.message) == [error])
        try main.signedIn(to: trip.session)
        #expect(main.view == .signedIn(trip.session))
    }
}
