import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

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

    @Test func `nobody is signed in`() async throws {
        viewModel.loadUserSession()
        try await world.readUserSession.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(nil)])
    }

    @Test func `somebody is signed in`() async throws {
        try await world.hasSignedIn(world.service.rider)
        viewModel.loadUserSession()
        let session = try #require(try await world.readUserSession.passes())
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.signedIn(session)])
    }

    @Test func `where that cannot be read, nobody is signed in once the error was read`() async throws {
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

    @Test func `a session that ends in two ways at once is over once`() throws {
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
