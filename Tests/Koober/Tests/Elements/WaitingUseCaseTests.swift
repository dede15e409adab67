import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct WaitingUseCaseTests {
    private let model = GatedModel(activeRide: ElementsSample.ride())
    private let signedIn: SignedInContainer
    private let container: WaitingForPickupContainer
    private let events: EventRecord

    init() async throws {
        let app = AppContainer(model: model)
        signedIn = SignedInContainer(app: app, userSession: ElementsSample.session)
        container = WaitingForPickupContainer(signedIn: signedIn, ride: ElementsSample.ride())
        events = EventRecord(app.events)
        // The screen of the ride is shown.
        signedIn.makeFindRideOrLocationUseCase().start()
        try await model.passes(.findRide)
        try await eventually { [signedIn] in signedIn.signedIn.state.screen == .waitingForPickup(ElementsSample.ride())
        }
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
        model.rides.send(ElementsSample.ride(status))
        try await eventually { state.ride.status == status }
    }

    // MARK: Following

    @Test func `a followed ride changes until it ends, which is one event`() async throws {
        weak let following = try await follows()
        try await receives(.accepted)
        try await receives(.arriving)
        #expect(events.all.isEmpty)
        try await receives(.completed)
        #expect(events.all == [.rideEnded("rid_1", .completed)])
        model.rides.finish()
        try await eventually { following == nil }
        #expect(state.interruption == nil)
    }

    @Test func `an update after the end changes nothing, and is no event`() async throws {
        weak let following = try await follows()
        try await receives(.completed)
        model.rides.send(ElementsSample.ride(.accepted))
        model.rides.send(ElementsSample.ride(.cancelledByDriver))
        model.rides.finish(throwing: ElementsSample.error)
        try await eventually { following == nil }
        #expect(state.ride.status == .completed && state.errors.isEmpty)
        #expect(events.all == [.rideEnded("rid_1", .completed)])
    }

    @Test func `an interrupted ride is followed again once its error is acknowledged, and only then`() async throws {
        _ = try await follows()
        model.rides.finish(throwing: ElementsSample.error)
        try await eventually { state.interruption == ElementsSample.error.id }
        #expect(state.errors == [ElementsSample.error])
        container.makeFollowRideUseCase().start()
        container.makeResumeRideUseCase(after: ElementsSample.laterError).start()
        await turnsPass()
        #expect(model.rides.followerCount == 0)
        container.makeResumeRideUseCase(after: ElementsSample.error).start()
        try await eventually { model.rides.followerCount == 1 }
        #expect(state.interruption == nil)
        // A second acknowledgement starts no second follower.
        container.makeResumeRideUseCase(after: ElementsSample.error).start()
        await turnsPass()
        #expect(model.rides.followerCount == 1)
    }

    @Test func `a cancelled follower leaves the ride, and changes nothing any more`() async throws {
        let following = try await follows()
        model.rides.send(ElementsSample.ride(.completed))
        following.cancel()
        try await eventually { model.rides.followerCount == 0 }
        await turnsPass()
        #expect(state.ride.status == .requested && events.all.isEmpty)
    }

    // MARK: Cancelling

    @Test func `a ride is cancelled once, and its end is one event`() async throws {
        _ = try await follows()
        container.makeCancelRideUseCase().start()
        container.makeCancelRideUseCase().start()
        #expect(state.isCancelling)
        try await model.passes(.cancel("rid_1"))
        try await eventually { state.ride.status == .cancelledByRider }
        #expect(!state.isCancelling)
        model.rides.send(ElementsSample.ride(.cancelledByRider))
        container.makeCancelRideUseCase().start()
        await turnsPass()
        #expect(asked == [.cancel("rid_1")])
        #expect(events.all == [.rideEnded("rid_1", .cancelledByRider)])
    }

    @Test func `a failed cancellation is an error, and can be repeated`() async throws {
        container.makeCancelRideUseCase().start()
        let error = try await model.fails(.cancel("rid_1"))
        try await eventually { state.errors == [error] }
        #expect(!state.isCancelling && state.interruption == nil)
        container.makeFinishedPresentingErrorUseCase(error).start()
        container.makeCancelRideUseCase().start()
        try await model.passes(.cancel("rid_1"))
        try await eventually { state.ride.status == .cancelledByRider }
        #expect(state.errors.isEmpty)
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
        #expect(events.all == [.rideEnded("rid_1", .completed)])
    }

    @Test(arguments: [true, false])
    func `the answer to a cancellation that the screen dropped changes nothing`(_ succeeds: Bool) async throws {
        model.calls.keepsCancelled()
        weak let cancellation = starts(container.makeCancelRideUseCase())
        try await model.calls.isAsked()
        cancellation?.cancel()
        let before = state
        try await model.answers(.cancel("rid_1"), successfully: succeeds)
        try await eventually { cancellation == nil }
        #expect(state == before && events.all.isEmpty)
    }

    @Test func `a ride cannot be cancelled after the pick-up`() async throws {
        _ = try await follows()
        try await receives(.inProgress)
        container.makeCancelRideUseCase().start()
        await turnsPass()
        #expect(!state.isCancelling && asked.isEmpty)
    }

    // MARK: The next ride

    @Test func `a ride is left after its end, and once`() async throws {
        _ = try await follows()
        container.makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state.screen == .waitingForPickup(ElementsSample.ride()))
        try await receives(.completed)
        container.makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state.screen == .gettingUserLocation)
        signedIn.makeFindRideOrLocationUseCase().start()
        try await model.passes(.findRide)
        try await eventually { signedIn.signedIn.state.screen != .gettingUserLocation }
        let next = signedIn.signedIn.state
        WaitingForPickupContainer(signedIn: signedIn, ride: .other).makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state == next)
    }
}

extension Ride {
    /// An ended ride that is not shown.
    fileprivate static var other: Ride {
        let ride = ElementsSample.ride(.completed)
        return Ride(
            id: "rid_0", status: ride.status, waypoints: ride.waypoints, rideOptionID: ride.rideOptionID,
            fare: ride.fare, driver: nil, etaSeconds: nil, createdAt: ride.createdAt, history: [])
    }
}
