import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct WaitingUseCaseTests {
    private let model = GatedModel(activeRide: Sample.ride())
    private let signedIn: SignedInContainer
    private let container: WaitingForPickupContainer
    private let events: Received<AppEvent>

    init() async throws {
        let app = AppContainer(model: model)
        signedIn = SignedInContainer(app: app, userSession: Sample.session)
        container = WaitingForPickupContainer(signedIn: signedIn, ride: Sample.ride())
        events = Received(app.events)
        // The screen of the ride is shown.
        signedIn.makeFindRideOrLocationUseCase().start()
        try await model.passes(.findRide)
        try await eventually { [signedIn] in signedIn.signedIn.state.screen == .waitingForPickup(Sample.ride()) }
    }

    private var state: WaitingForPickupState { container.waiting.state }
    /// The calls after that which finds the ride.
    private var asked: [ModelCall] { Array(model.calls.asked.dropFirst()) }

    private func follows() async throws -> any CancelableUseCase {
        let count = model.rides.followerCount
        let following = starts(container.makeFollowRideUseCase())
        try await eventually { model.rides.followerCount == count + 1 }
        return following
    }

    private func receives(_ status: RideStatus) async throws {
        model.rides.send(Sample.ride(status))
        try await eventually { state.ride.status == status }
    }

    @Test func `an update after the end changes nothing, and is no event`() async throws {
        weak let following = try await follows()
        try await receives(.completed)
        model.rides.send(Sample.ride(.accepted))
        model.rides.send(Sample.ride(.cancelledByDriver))
        model.rides.finish(throwing: Sample.error)
        try await eventually { following == nil }
        #expect(state.ride.status == .completed && state.errors.isEmpty && state.interruption == nil)
        #expect(events.values == [.rideEnded("rid_1", .completed)])
    }

    @Test func `an interrupted ride is followed again once its error is acknowledged, and only then`() async throws {
        _ = try await follows()
        model.rides.finish(throwing: Sample.error)
        try await eventually { state.interruption == Sample.error.id }
        #expect(state.errors == [Sample.error])
        container.makeFollowRideUseCase().start()
        container.makeResumeRideUseCase(after: Sample.laterError).start()
        await turnsPass()
        #expect(model.rides.followerCount == 0)
        container.makeResumeRideUseCase(after: Sample.error).start()
        try await eventually { model.rides.followerCount == 1 }
        #expect(state.interruption == nil)
        // A second acknowledgement starts no second follower.
        container.makeResumeRideUseCase(after: Sample.error).start()
        await turnsPass()
        #expect(model.rides.followerCount == 1)
    }

    @Test func `a cancelled follower leaves the ride, and changes nothing any more`() async throws {
        let following = try await follows()
        model.rides.send(Sample.ride(.completed))
        following.cancel()
        try await eventually { model.rides.followerCount == 0 }
        await turnsPass()
        #expect(state.ride.status == .requested && events.values.isEmpty)
    }

    @Test func `a ride is cancelled once, and its end is one event`() async throws {
        _ = try await follows()
        container.makeCancelRideUseCase().start()
        container.makeCancelRideUseCase().start()
        #expect(state.isCancelling)
        try await model.passes(.cancel("rid_1"))
        try await eventually { state.ride.status == .cancelledByRider }
        #expect(!state.isCancelling)
        model.rides.send(Sample.ride(.cancelledByRider))
        container.makeCancelRideUseCase().start()
        await turnsPass()
        #expect(asked == [.cancel("rid_1")])
        #expect(events.values == [.rideEnded("rid_1", .cancelledByRider)])
    }

    @Test(arguments: [true, false])
    func `the answer to a cancellation does not matter after the end of the ride`(_ succeeds: Bool) async throws {
        _ = try await follows()
        weak let cancellation = starts(container.makeCancelRideUseCase())
        try await model.calls.isAsked()
        try await receives(.completed)
        #expect(!state.isCancelling)
        try await model.answers(.cancel("rid_1"), successfully: succeeds)
        try await eventually { cancellation == nil }
        #expect(state.ride.status == .completed && state.errors.isEmpty)
        #expect(events.values == [.rideEnded("rid_1", .completed)])
    }

    @Test func `a ride cannot be cancelled after the pick-up`() async throws {
        _ = try await follows()
        try await receives(.inProgress)
        container.makeCancelRideUseCase().start()
        await turnsPass()
        #expect(!state.isCancelling && asked.isEmpty)
    }

    @Test func `a ride is left after its end, and once`() async throws {
        _ = try await follows()
        container.makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state.screen == .waitingForPickup(Sample.ride()))
        try await receives(.completed)
        container.makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state.screen == .gettingUserLocation)
        signedIn.makeFindRideOrLocationUseCase().start()
        try await model.passes(.findRide)
        try await eventually { signedIn.signedIn.state.screen != .gettingUserLocation }
        let next = signedIn.signedIn.state
        WaitingForPickupContainer(signedIn: signedIn, ride: Sample.ride(.completed, id: "rid_0"))
            .makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state == next)
    }
}
