import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

@MainActor struct OnboardingNavigationTests {
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

/// A form: both send their input in the same way.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct FormViewModelTests {
    private let world = World(SampleService())
    private let responder = RecordingResponder()

    @Test func `a form is sent once at a time, and stays busy after signing in`() async throws {
        let rider = world.service.rider
        let viewModel = SignInViewModel(
            userSessionRepository: KooberUserSessionRepository(
                dataStore: world.makeUserSessionDataStore(), remoteAPI: world.makeAuthRemoteAPI()),
            submission: FormSubmission(signedInResponder: responder, errorMessages: ErrorMessages()))
        viewModel.email = " \(rider.email)\n"
        viewModel.password = Secret(rider.password)
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
}

@MainActor @Suite(.timeLimit(.minutes(5)))
struct DropoffLocationPickerViewModelTests {
    private let world = World(SampleService())
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()

    private func picker(_ query: String = "", choosesMatch: Bool = false) -> DropoffLocationPickerViewModel {
        DropoffLocationPickerViewModel(
            pickupLocation: Sample.sydney, locationRepository: world.makeLocationRepository(for: Sample.session),
            dropoffLocationDeterminedResponder: responder, cancelDropoffLocationSelectionResponder: responder,
            errorMessages: errorMessages, query: query, choosesMatch: choosesMatch)
    }

    @Test func `a link whose search fails leaves the choice to the user`() async throws {
        let viewModel = picker("Manly", choosesMatch: true)
        let error = try await world.search.fails()
        try await eventually { !viewModel.isSearching }
        #expect(errorMessages.pending == [error])
        #expect(responder.events.isEmpty)
        viewModel.search(for: "Manly")
        try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults.map(\.name) == ["Manly"])
        #expect(responder.events.isEmpty)
    }

    @Test(arguments: [("MANLY", true), ("Man", false), ("", false), ("Manly Beach", false)])
    func `only a result with the whole name is chosen`(_ query: String, _ isChosen: Bool) async throws {
        let viewModel = picker(query, choosesMatch: true)
        let found = try await world.search.passes { $0 == query }
        try await eventually { !viewModel.isSearching }
        #expect(responder.events == (isChosen ? [.dropOff(try #require(found.first))] : []))
    }
}

/// Records the calls of a view model to its responders.
@MainActor
private final class RecordingResponder: SignedInResponder, DropoffLocationDeterminedResponder,
    CancelDropoffLocationSelectionResponder
{
    enum Event: Hashable {
        case signedIn(UserSession)
        case dropOff(NamedLocation)
        case cancelDropoff
    }

    private(set) var events: [Event] = []

    func signedIn(to userSession: UserSession) { events.append(.signedIn(userSession)) }
    func dropOffUser(at dropoffLocation: NamedLocation) -> Bool { responds(.dropOff(dropoffLocation)) }
    func cancelDropoffLocationSelection() -> Bool { responds(.cancelDropoff) }

    private func responds(_ event: Event) -> Bool {
        events.append(event)
        return true
    }
}
