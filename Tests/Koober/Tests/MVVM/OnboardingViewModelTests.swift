import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

@MainActor
@Suite
struct OnboardingNavigationTests {
    @Test func `a view is asked for until it is reported as presented`() {
        let viewModel = OnboardingViewModel()
        #expect(viewModel.navigationAction == .present(view: .welcome))
        viewModel.uiPresented(.welcome)
        #expect(viewModel.navigationAction == .presented(view: .welcome))
        viewModel.navigateToSignIn()
        #expect(viewModel.navigationAction == .present(view: .signIn))
        viewModel.uiPresented(.signIn)
        #expect(viewModel.navigationAction == .presented(view: .signIn))
        // The user goes back.
        viewModel.uiPresented(.welcome)
        viewModel.navigateToSignUp()
        #expect(viewModel.navigationAction == .present(view: .signUp))
    }

    @Test(arguments: [OnboardingView.signIn, .signUp], [true, false])
    func `a form does not lead to another form`(_ view: OnboardingView, _ isPresented: Bool) {
        let viewModel = OnboardingViewModel(view: view)
        if isPresented { viewModel.uiPresented(view) }
        let before = viewModel.navigationAction
        viewModel.navigateToSignIn()
        viewModel.navigateToSignUp()
        #expect(viewModel.navigationAction == before)
    }

    @Test func `an app that starts with a form leads back to the welcome screen, and on to the other form`() {
        let viewModel = OnboardingViewModel(view: .signUp)
        #expect(viewModel.navigationAction == .present(view: .signUp))
        viewModel.uiPresented(.welcome)
        viewModel.navigateToSignIn()
        #expect(viewModel.navigationAction == .present(view: .signIn))
    }
}

/// The two forms, which send their input in the same way.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FormViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    private func signIn(_ email: String, _ password: String) -> SignInViewModel {
        let viewModel = SignInViewModel(
            userSessionRepository: trip.userSessionRepository,
            submission: FormSubmission(signedInResponder: responder, errorMessages: errorMessages))
        viewModel.email = email
        viewModel.password = Secret(password)
        return viewModel
    }

    private func signUp(_ name: String, _ email: String, _ password: String) -> SignUpViewModel {
        let viewModel = SignUpViewModel(
            userSessionRepository: trip.userSessionRepository,
            submission: FormSubmission(signedInResponder: responder, errorMessages: errorMessages))
        viewModel.name = name
        viewModel.email = email
        viewModel.password = Secret(password)
        return viewModel
    }

    @Test func `a form is sent once at a time, and stays busy after signing in`() async throws {
        let rider = world.service.rider
        let viewModel = signIn(" \(rider.email)\n", rider.password)
        #expect(viewModel.form == FormScreen())
        viewModel.signIn()
        #expect(viewModel.form == FormScreen(isBusy: true))
        viewModel.signIn()
        let session = try await world.signIn.passes { $0 == rider.email }
        try await eventually { !responder.events.isEmpty }
        viewModel.signIn()
        await turnsPass()
        #expect(responder.events == [.signedIn(session)])
        #expect(viewModel.form == FormScreen(isBusy: true))
        #expect(world.signIn.asked == [rider.email])
    }

    @Test func `a failed try can be repeated, and each failure is published`() async throws {
        let viewModel = signIn("ada@example.org", "wrong")
        let errors = [trip.error, trip.error]
        for (count, error) in zip(1..., errors) {
            viewModel.signIn()
            try await world.signIn.fails(error)
            try await eventually { !viewModel.form.isBusy }
            #expect(errorMessages.pending == Array(errors.prefix(count)))
            #expect(viewModel.form == FormScreen())
        }
        #expect(responder.events.isEmpty)
    }

    @Test(arguments: [
        ("", "", [FormField.email, .password]), ("  ", "password", [.email]), ("ada@example.org", "", [.password]),
    ])
    func `an incomplete sign-in is not sent, and shows the problem of each field`(
        _ email: String, _ password: String, _ fields: [FormField]
    ) async {
        let viewModel = signIn(email, password)
        viewModel.signIn()
        #expect(!viewModel.form.isBusy)
        #expect(viewModel.form.problems.keys.sorted() == fields)
        #expect(errorMessages.pending.isEmpty)
        await turnsPass()
        #expect(world.signIn.asked.isEmpty)
    }

    @Test(arguments: [
        (" ", "ada@example.org", "password", FormField.name), ("Ada", "", "password", .email),
        ("Ada", "ada@example.org", "", .password),
    ])
    func `signing up needs all fields but the mobile number`(
        _ name: String, _ email: String, _ password: String, _ field: FormField
    ) {
        let viewModel = signUp(name, email, password)
        viewModel.mobileNumber = "1"
        viewModel.signUp()
        #expect(viewModel.form.problems.keys.map { $0 } == [field])
        #expect(!viewModel.form.isBusy)
    }

    @Test func `problems that the service finds stand next to their fields, until the next try`() async throws {
        let viewModel = signUp("Ada", "ada", "short")
        viewModel.signUp()
        let problems: [FormField: Phrase] = [.email: .verbatim("No address."), .password: .verbatim("Too short.")]
        try await world.signUp.fails(ErrorMessage(title: .signUpFailed, message: .tryAgain, fields: problems))
        try await eventually { !viewModel.form.isBusy }
        #expect(viewModel.form == FormScreen(problems: problems))
        #expect(errorMessages.pending.isEmpty)
        viewModel.signUp()
        #expect(viewModel.form == FormScreen(isBusy: true))
    }

    @Test func `a sign-up sends its input, in the second try as it is then`() async throws {
        let viewModel = signUp(" Grace ", "grace@example.org ", " kept as it is ")
        viewModel.signUp()
        viewModel.name = "Too late"
        try await world.signUp.fails()
        try await eventually { !viewModel.form.isBusy }
        viewModel.name = "Hopper"
        viewModel.signUp()
        let session = try await world.signUp.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.signedIn(session)])
        #expect(world.signUp.asked.map(\.name) == ["Grace", "Hopper"])
        #expect(world.signUp.asked.map(\.email) == ["grace@example.org", "grace@example.org"])
        #expect(world.signUp.asked.map(\.password) == [Secret(" kept as it is "), Secret(" kept as it is ")])
    }

    @Test func `a released form cancels its request`() async throws {
        var viewModel: SignInViewModel? = signIn("ada@example.org", "password")
        weak let released = viewModel
        viewModel?.signIn()
        try await world.signIn.isAsked()
        viewModel = nil
        #expect(released == nil)
        try await eventually { world.signIn.waiting.isEmpty }
        await turnsPass()
        #expect(responder.events.isEmpty && errorMessages.pending.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a released form drops an answer that comes nevertheless`(_ isRefused: Bool) async throws {
        world.signIn.keepsCancelled()
        let rider = world.service.rider
        var viewModel: SignInViewModel? = signIn(rider.email, rider.password)
        viewModel?.signIn()
        try await world.signIn.isAsked()
        viewModel = nil
        if isRefused { try await world.signIn.fails() } else { try await world.signIn.passes() }
        await turnsPass()
        #expect(responder.events.isEmpty && errorMessages.pending.isEmpty)
    }
}
