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

/// The two forms, which send their input in the same way.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct FormViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    private func signIn(_ email: String, _ password: String) -> SignInViewModel {
        let viewModel = trip.signInViewModel(responder, errorMessages)
        viewModel.email = email
        viewModel.password = Secret(password)
        return viewModel
    }

    private func signUp(_ name: String, _ email: String, _ password: String) -> SignUpViewModel {
        let viewModel = trip.signUpViewModel(responder, errorMessages)
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

@MainActor @Suite(.timeLimit(.minutes(5)))
struct DropoffLocationPickerViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    private func picker(_ query: String = "", choosesMatch: Bool = false) -> DropoffLocationPickerViewModel {
        DropoffLocationPickerViewModel(
            pickupLocation: trip.pickup, locationRepository: world.makeLocationRepository(for: trip.session),
            dropoffLocationDeterminedResponder: responder, cancelDropoffLocationSelectionResponder: responder,
            errorMessages: errorMessages, query: query, choosesMatch: choosesMatch)
    }

    @Test func `of several searches in the same turn only the last is sent`() async throws {
        let viewModel = picker()
        viewModel.search(for: "M")
        viewModel.search(for: "Manly")
        let found = try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(world.search.asked == ["Manly"])
        #expect(viewModel.searchResults == found)
    }

    @Test func `a released picker cancels its search`() async throws {
        var viewModel: DropoffLocationPickerViewModel? = picker()
        weak let released = viewModel
        try await world.search.isAsked()
        viewModel = nil
        #expect(released == nil)
        try await eventually { world.search.waiting.isEmpty }
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

@MainActor @Suite(.timeLimit(.minutes(5)))
struct RideOptionPickerViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()
    private let viewModel: RideOptionPickerViewModel
    private var world: World { trip.world }

    init() {
        viewModel = RideOptionPickerViewModel(
            rideOptionRepository: trip.world.makeRideOptionRepository(for: trip.session), errorMessages: errorMessages)
        viewModel.rideOptionDeterminedResponder = responder
    }

    private func loads(selecting wanted: RideOption.ID? = nil) async throws -> [PricedRideOption] {
        viewModel.loadRideOptions(for: trip.waypoints, selecting: wanted)
        #expect(viewModel.isLoading && viewModel.options.isEmpty && viewModel.selected == nil)
        let options = try await world.rideOptions.passes { [waypoints = trip.waypoints] in $0 == waypoints }
        try await eventually { !viewModel.isLoading }
        return options
    }

    @Test func `a refused or unknown choice selects nothing`() async throws {
        let options = try await loads()
        #expect(!viewModel.select(rideOptionID: "unicorn"))
        #expect(responder.events.isEmpty)
        responder.refuses = true
        #expect(!viewModel.select(rideOptionID: options[0].id))
        #expect(viewModel.selected == nil)
    }

    @Test(arguments: ["wallaroo", "unicorn"])
    func `a wanted option is selected once it is offered`(_ wanted: String) async throws {
        let options = try await loads(selecting: wanted)
        let option = options.first { $0.id == wanted }
        #expect(viewModel.selected == option?.id)
        #expect(responder.events == (option.map { [.pickUp($0)] } ?? []))
    }

    @Test func `the late options of an earlier trip are dropped`() async throws {
        world.keepsCancelledCalls()
        let other = RideWaypoints(pickupLocation: trip.pickup, dropoffLocation: trip.manly.location)
        viewModel.loadRideOptions(for: other, selecting: "wallaby")
        try await world.rideOptions.isAsked()
        viewModel.loadRideOptions(for: trip.waypoints)
        try await world.rideOptions.isAsked { [waypoints = trip.waypoints] in $0 == waypoints }
        try await world.rideOptions.passes { $0 == other }
        await turnsPass()
        #expect(viewModel.isLoading && viewModel.options.isEmpty)
        let options = try await world.rideOptions.passes()
        try await eventually { !viewModel.isLoading }
        #expect(viewModel.options == options)
        #expect(viewModel.selected == nil && responder.events.isEmpty)
    }
}
