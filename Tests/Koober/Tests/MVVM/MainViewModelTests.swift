import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct MainViewModelTests {
    private let trip = SampleTrip()
    private let errorMessages = ErrorMessages()
    private let main: MainViewModel

    init() { main = MainViewModel(errorMessages: errorMessages) }

    @Test func `a second sign-in does not replace the session`() {
        main.signedIn(to: trip.session)
        main.signedIn(to: Fixture.session("access-2", id: "ses_2"))
        #expect(main.view == .signedIn(trip.session))
    }

    @Test func `a session that ends in two ways at once ends once, with the first error`() {
        main.signedIn(to: trip.session)
        let error = trip.error
        main.notSignedIn(error)
        main.notSignedIn(nil)
        main.notSignedIn(trip.error)
        #expect(main.view == .onboarding)
        #expect(errorMessages.pending == [error])
    }

    @Test func `the errors of a session end with it, and so does the work that waits for them`() {
        main.signedIn(to: trip.session)
        var isContinued = false
        errorMessages.present(trip.error) { isContinued = true }
        let end = trip.error
        main.notSignedIn(end)
        #expect(errorMessages.pending == [end])
        errorMessages.acknowledge()
        #expect(errorMessages.pending.isEmpty && !isContinued)
    }

    @Test func `an error of the ended session that comes before the next view is not shown there`() {
        main.signedIn(to: trip.session)
        let (end, next) = (trip.error, trip.error)
        main.notSignedIn(end)
        // A request that failed because the session ended.
        errorMessages.present(trip.error)
        #expect(errorMessages.pending == [end])
        errorMessages.begin()
        errorMessages.present(next)
        #expect(errorMessages.pending == [end, next])
    }

    @Test func `errors are acknowledged one by one, the oldest first, and each continues its own work`() {
        let errors = [trip.error, trip.error, trip.error]
        var continued: [Int] = []
        errorMessages.present(errors[0]) { continued.append(0) }
        errorMessages.present(errors[1])
        errorMessages.present(errors[2]) { continued.append(2) }
        #expect(errorMessages.pending == errors)
        errorMessages.acknowledge()
        #expect(errorMessages.pending == [errors[1], errors[2]])
        #expect(continued == [0])
        errorMessages.acknowledge()
        #expect(continued == [0])
        for _ in 1...2 { errorMessages.acknowledge() }
        #expect(errorMessages.pending.isEmpty)
        #expect(continued == [0, 2])
    }

    @Test func `work that presents the next error when it continues finds its own error gone`() {
        let (first, second) = (trip.error, trip.error)
        errorMessages.present(first) { [errorMessages] in errorMessages.present(second) }
        errorMessages.acknowledge()
        #expect(errorMessages.pending == [second])
    }

    @Test func `the connection is followed until the view model is released`() async throws {
        var viewModel: ConnectivityViewModel? = ConnectivityViewModel(
            connectivitySource: trip.world.makeConnectivitySource())
        weak let released = viewModel
        #expect(viewModel?.isOffline == false)
        for isOnline in [false, true, false] {
            // Only the last state is kept until the view model asks for it.
            trip.world.isOnline(isOnline)
            try await eventually { viewModel?.isOffline == !isOnline }
        }
        viewModel = nil
        #expect(released == nil)
    }
}

@MainActor @Suite(.timeLimit(.minutes(5)))
struct LaunchViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    @Test func `a released launch drops its answer`() async throws {
        world.readUserSession.keepsCancelled()
        var launch: LaunchViewModel? = LaunchViewModel(
            userSessionRepository: trip.userSessionRepository, notSignedInResponder: responder,
            signedInResponder: responder, errorMessages: errorMessages)
        weak let released = launch
        try await world.readUserSession.isAsked()
        launch = nil
        #expect(released == nil)
        try await world.readUserSession.passes()
        await turnsPass()
        #expect(responder.events.isEmpty)
    }
}

@MainActor @Suite(.timeLimit(.minutes(5)))
struct SignedInViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private var world: World { trip.world }

    @Test func `a released view model does not report the end of the session`() async throws {
        world.end.keepsCancelled()
        let session = try await world.hasSignedIn(world.service.rider)
        var viewModel: SignedInViewModel? = SignedInViewModel(
            userSession: session, publisher: SignedInViewPublisher(), userSessionRepository: trip.userSessionRepository,
            notSignedInResponder: responder)
        weak let released = viewModel
        try await world.service.endSessions(of: world.service.rider)
        try await world.end.isAsked()
        viewModel = nil
        #expect(released == nil)
        try await world.end.passes()
        await turnsPass()
        #expect(responder.events.isEmpty)
    }
}

@MainActor @Suite(.timeLimit(.minutes(5)))
struct GettingUsersLocationViewModelTests {
    private let trip = SampleTrip()
    private let publisher = SignedInViewPublisher()
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    @Test(arguments: [true, false])
    func `after a failure the search starts again once the error is acknowledged`(_ isLocating: Bool) async throws {
        let viewModel = trip.gettingUsersLocationViewModel(publisher, errorMessages)
        for count in 1...2 {
            let error = trip.error
            if isLocating {
                try await world.activeRide.passes()
                try await world.userLocation.fails(error)
            } else {
                try await world.activeRide.fails(error)
            }
            try await eventually { !errorMessages.pending.isEmpty }
            #expect(errorMessages.pending == [error])
            await turnsPass()
            #expect(world.activeRide.asked.count == count)
            errorMessages.acknowledge()
        }
        try await world.activeRide.passes()
        let location = try await world.userLocation.passes()
        try await eventually { publisher.view == .pickMeUp(pickupLocation: location) }
        withExtendedLifetime(viewModel) {}
    }

    @Test func `a released view model neither looks up the location nor publishes a stage`() async throws {
        world.keepsCancelledCalls()
        var viewModel: GettingUsersLocationViewModel? = trip.gettingUsersLocationViewModel(publisher, errorMessages)
        weak let released = viewModel
        try await world.activeRide.isAsked()
        viewModel = nil
        #expect(released == nil)
        try await world.activeRide.passes()
        await turnsPass()
        #expect(world.userLocation.asked.isEmpty && publisher.view == .gettingUsersLocation)
    }
}

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ProfileViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let closed = Counter()
    private let viewModel: ProfileViewModel
    private var world: World { trip.world }

    init() {
        viewModel = ProfileViewModel(
            userSession: trip.session, userSessionRepository: trip.userSessionRepository,
            notSignedInResponder: responder, closed: { [closed] in closed.increment() })
    }

    @Test func `the profile shows the user, and is closed`() {
        #expect(viewModel.profile == trip.session.profile)
        viewModel.closeProfile()
        #expect(closed.value == 1 && responder.events.isEmpty)
    }

    @Test func `the user signs out once, and cannot close the profile while that goes on`() async throws {
        viewModel.signOut()
        #expect(viewModel.isSigningOut)
        viewModel.signOut()
        viewModel.closeProfile()
        try await world.signOut.passes()
        try await eventually { !responder.events.isEmpty }
        viewModel.signOut()
        await turnsPass()
        #expect(responder.events == [.notSignedIn(nil)])
        #expect(world.signOut.asked == [trip.session])
        #expect(closed.value == 0)
    }
}
