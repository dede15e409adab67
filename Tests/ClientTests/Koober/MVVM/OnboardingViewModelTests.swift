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

    @Test func `what is to be presented is asked for until the view reports it`() throws {
        let viewModel = OnboardingViewModel()
        #expect(viewModel.navigationAction == .present(view: .welcome))
        viewModel.uiPresented(.welcome)
        #expect(viewModel.navigationAction == .presented(view: .welcome))
        try viewModel.navigateToSignIn()
        #expect(viewModel.navigationAction == .present(view: .signIn))
        viewModel.uiPresented(.signIn)
        #expect(viewModel.navigationAction == .presented(view: .signIn))
        // Back, by the system.
        viewModel.uiPresented(.welcome)
        try viewModel.navigateToSignIn()
        #expect(viewModel.navigationAction == .present(view: .signIn))
        viewModel.uiPresented(.welcome)
        try viewModel.navigateToSignUp()
        #expect(viewModel.navigationAction == .present(view: .signUp))
    }

    @Test(arguments: [OnboardingView.signIn, .signUp], [true, false])
    func `from a form there is no way to another`(_ view: OnboardingView, _ isPresented: Bool) throws {
        let viewModel = OnboardingViewModel()
        if view == .signIn { try viewModel.navigateToSignIn() } else { try viewModel.navigateToSignUp() }
        if isPresented { viewModel.uiPresented(view) }
        let before = viewModel.navigationAction
        #expect(throws: IllegalTransition.self) { try viewModel.navigateToSignIn() }
        #expect(throws: IllegalTransition.self) { try viewModel.navigateToSignUp() }
        #expect(viewModel.navigationAction == before)
    }

    @Test func `the welcome tells where its user wants to go`() throws {
        let viewModel = WelcomeViewModel(goToSignUpNavigator: responder, goToSignInNavigator: responder)
        try viewModel.showSignUpView()
        try viewModel.showSignInView()
        #expect(responder.events == [.goToSignUp, .goToSignIn])
    }

    @Test func `a form that is sent cannot be used, and stays so when somebody is signed in`() async throws {
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

    @Test func `a sign-in that fails can be tried again, and each failure is told`() async throws {
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
    func `who signs in enters both`(_ email: String, _ password: String) throws {
        let viewModel = SignInViewModel(
            userSessionRepository: repository, submission: FormSubmission(signedInResponder: responder))
        viewModel.email = email
        viewModel.password = Secret(password)
        try viewModel.signIn()
        #expect(viewModel.errorMessages.pending.map(\.message.title) == ["Sign-in failed"])
        #expect(viewModel.form.buttonEnabled)
    }

    @Test(arguments: [(" ", "ada@example.org", "password"), ("Ada", "", "password"), ("Ada", "ada@example.org", "")])
    func `who signs up enters all but a mobile number`(_ name: String, _ email: String, _ password: String) throws {
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

    @Test func `a new account is made of what was entered, at the second try too`() async throws {
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

    @Test func `a form that is gone has nobody asked any more`() async throws {
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
