import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct MVVMAppTests {
    private let world = World(SampleService())

    private func welcomed() async throws -> (MVVMApp, AsyncStream<KooberScreen>.Iterator) {
        let app = MVVMApp(model: world)
        var screens = app.screens().makeAsyncIterator()
        app.start()
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.launching))
        try await world.readUserSession.passes()
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.welcome))
        return (app, screens)
    }

    @Test func `before the start there is no screen and no intention, and the app starts once`() async throws {
        let app = MVVMApp(model: world)
        #expect(app.screen == nil)
        #expect(throws: UnofferedIntention(.goToSignIn, on: nil)) { try app.perform(.goToSignIn) }
        app.start()
        app.start()
        #expect(app.screen == KooberScreen(.launching))
        try await world.readUserSession.passes()
        try await eventually { app.screen == KooberScreen(.welcome) }
        #expect(world.readUserSession.asked.count == 1)
    }

    @Test func `the screen shows at once what follows from an intention, and those of one turn publish the last`()
        async throws
    {
        var (app, screens) = try await welcomed()
        try app.perform(.goToSignIn)
        #expect(app.screen == KooberScreen(.signIn(FormScreen())))
        try app.perform(.goBack)
        #expect(app.screen == KooberScreen(.welcome))
        try app.perform(.goToSignUp)
        #expect(app.screen == KooberScreen(.signUp(FormScreen())))
        var published: [KooberScreen?] = []
        repeat { published.append(await screens.next(isolation: #isolation)) } while published.last != app.screen
        #expect(published.last == KooberScreen(.signUp(FormScreen())))
        #expect(zip(published, published.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `a form is not sent twice in the same turn`() async throws {
        let (app, _) = try await welcomed()
        try app.perform(.goToSignIn)
        let signIn = Intention.signIn(email: "ada@example.org", password: Secret("password"))
        try app.perform(signIn)
        let busy = KooberScreen(.signIn(FormScreen(isBusy: true)))
        #expect(throws: UnofferedIntention(signIn, on: busy)) { try app.perform(signIn) }
        try await world.signIn.fails()
        #expect(world.signIn.asked.count == 1)
    }
}

/// The three ways in which view models collaborate, each with a fake on the other side.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct CollaborationTests {
    private let trip = SampleTrip()
    private let errorMessages = ErrorMessages()

    // MARK: Responder: the one that decides what follows is known by a protocol alone.

    @Test func `a picker does not hold its responder, which holds the picker`() async throws {
        let picker = RideOptionPickerViewModel(
            rideOptionRepository: trip.world.makeRideOptionRepository(for: trip.session), errorMessages: errorMessages)
        var responder: RecordingResponder? = RecordingResponder()
        weak let released = responder
        picker.rideOptionDeterminedResponder = responder
        responder = nil
        #expect(released == nil)
    }

    // MARK: Closure: there is one caller, to which the view model returns.

    @Test func `an error continues the work of the view model that presented it, and no other`() async throws {
        let publisher = SignedInViewPublisher()
        let viewModel = trip.gettingUsersLocationViewModel(publisher, errorMessages)
        errorMessages.present(trip.error)
        try await trip.world.activeRide.fails()
        try await eventually { errorMessages.pending.count == 2 }
        errorMessages.acknowledge()
        await turnsPass()
        #expect(trip.world.activeRide.asked.count == 1)
        errorMessages.acknowledge()
        try await trip.world.activeRide.isAsked()
        #expect(trip.world.activeRide.asked.count == 2)
        withExtendedLifetime(viewModel) {}
    }

    // MARK: Shared publisher: several view models set one value, and others follow it.

    @Test func `each stage publishes the next one to all subscribers`() async throws {
        let publisher = SignedInViewPublisher()
        let cycle = UpdateCycle()
        var seen: [[SignedInView]] = [[], []]
        let subscriptions = seen.indices.map { index in
            cycle.subscribe(to: { publisher.view }, receive: { seen[index].append($0) })
        }
        let locating = trip.gettingUsersLocationViewModel(publisher, errorMessages)
        try await trip.world.activeRide.passes()
        try await trip.world.userLocation.passes()
        try await eventually { seen[0].count == 2 && seen[1].count == 2 }
        let ride = trip.ride(.completed)
        publisher.view = .waitingForPickup(ride)
        let waiting = WaitingForPickupViewModel(
            ride: ride, newRideRepository: TestRides(cancelled: ride), publisher: publisher,
            errorMessages: errorMessages)
        cycle.flush()
        waiting.startNewRide()
        cycle.flush()
        let stages: [SignedInView] = [
            .gettingUsersLocation, .pickMeUp(pickupLocation: trip.pickup), .waitingForPickup(ride),
            .gettingUsersLocation,
        ]
        #expect(seen == [stages, stages])
        withExtendedLifetime((subscriptions, locating)) {}
    }
}
