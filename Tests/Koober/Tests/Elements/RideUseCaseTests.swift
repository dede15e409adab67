import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

/// The use cases from the map to the request of a ride.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct RideUseCaseTests {
    private let model = GatedModel()
    private let signedIn: SignedInContainer
    private let container: PickMeUpContainer
    private let events: EventRecord

    init() {
        let app = AppContainer(model: model)
        signedIn = SignedInContainer(app: app, userSession: ElementsSample.session)
        container = PickMeUpContainer(signedIn: signedIn, pickupLocation: ElementsSample.sydney)
        events = EventRecord(app.events)
    }

    private var state: PickMeUpState { container.pickMeUp.state }
    private func opensPicker() { container.makePresentDropoffPickerUseCase(isPresented: true).start() }

    private func searches(_ query: String, choosesMatch: Bool = false) -> any CancelableUseCase {
        starts(container.makeSearchDropoffLocationsUseCase(query: query, choosesMatch: choosesMatch))
    }

    private func selects(_ place: NamedLocation) -> any CancelableUseCase {
        starts(container.makeSelectDropoffLocationUseCase(place, option: nil))
    }

    private static let manlyTrip = RideWaypoints(
        pickupLocation: ElementsSample.sydney, dropoffLocation: ElementsSample.manly.location)
    private static let offer = RideOptions(options: ElementsSample.options)
    private static let request = NewRideRequest(waypoints: ElementsSample.trip, option: ElementsSample.options[0])

    /// A trip to Bondi with the first option selected.
    private func chooses() async throws {
        _ = selects(ElementsSample.bondi)
        try await model.passes(.loadOptions(ElementsSample.trip))
        try await eventually { state.step == .selectRideOption(Self.offer) }
        container.makeSelectRideOptionUseCase(id: "wallaby").start()
        #expect(state.step == .selectRideOption(.wallaby))
    }

    // MARK: Searching

    @Test(arguments: [("BONDI BEACH", true), ("Bondi", true), ("Bondi Beach", false)])
    func `only a result with just the searched name is a match, if the search is to choose it`(
        _ query: String, _ chooses: Bool
    ) async throws {
        opensPicker()
        _ = searches(query, choosesMatch: chooses)
        try await model.passes(.search(query, ElementsSample.sydney))
        try await eventually { state.dropoffPicker?.isSearching == false }
        #expect(state.dropoffPicker?.match == (query == "BONDI BEACH" ? ElementsSample.bondi : nil))
    }

    @Test func `the answer to the latest search counts even if the earlier one is not cancelled`() async throws {
        opensPicker()
        weak let older = searches("m")
        _ = searches("manly")
        try await model.passes(.search("manly", ElementsSample.sydney))
        try await eventually { state.dropoffPicker?.isSearching == false }
        let answered = state
        try await model.fails(.search("m", ElementsSample.sydney))
        try await eventually { older == nil }
        #expect(state == answered)
    }

    @Test(arguments: [true, false])
    func `a search that is answered after the picker is closed or the search cancelled changes nothing`(
        _ isClosed: Bool
    ) async throws {
        model.calls.keepsCancelled()
        opensPicker()
        weak let search = searches("manly")
        try await model.calls.isAsked()
        if isClosed { container.makePresentDropoffPickerUseCase(isPresented: false).start() } else { search?.cancel() }
        let before = state
        try await model.fails(.search("manly", ElementsSample.sydney))
        try await eventually { search == nil }
        #expect(state == before)
    }

    // MARK: Choosing

    @Test(arguments: [true, false])
    func `options of an earlier trip are dropped`(_ succeeds: Bool) async throws {
        weak let older = selects(ElementsSample.manly)
        try await model.calls.isAsked()
        _ = selects(ElementsSample.bondi)
        try await model.answers(.loadOptions(Self.manlyTrip), successfully: succeeds)
        try await eventually { older == nil }
        #expect(state.step == .selectRideOption(RideOptions(isLoading: true)))
        #expect(state.errors.isEmpty)
        try await model.passes(.loadOptions(ElementsSample.trip))
        try await eventually { state.step == .selectRideOption(Self.offer) }
    }

    @Test func `a second answer for the same trip does not undo the selection`() async throws {
        weak let second = selects(ElementsSample.bondi)
        try await model.calls.isAsked()
        try await chooses()
        try await model.passes(.loadOptions(ElementsSample.trip))
        try await eventually { second == nil }
        #expect(state.step == .selectRideOption(.wallaby))
    }

    @Test func `no step is possible while its input is missing`() async throws {
        let before = state
        _ = searches("manly")
        container.makeSelectRideOptionUseCase(id: "wallaby").start()
        container.makeRequestRideUseCase().start()
        await turnsPass()
        #expect(state == before && model.calls.asked.isEmpty)
    }

    @Test func `an open picker blocks selecting, requesting and another picker`() async throws {
        try await chooses()
        opensPicker()
        _ = searches("manly")
        try await model.calls.isAsked()
        let before = state
        opensPicker()
        container.makeSelectRideOptionUseCase(id: "kangaroo").start()
        container.makeRequestRideUseCase().start()
        await turnsPass()
        #expect(state == before)
        #expect(model.calls.asked == [.loadOptions(ElementsSample.trip), .search("manly", ElementsSample.sydney)])
    }

    // MARK: Requesting

    @Test func `a request blocks everything else, and is sent once`() async throws {
        try await chooses()
        container.makeRequestRideUseCase().start()
        try await model.calls.isAsked()
        let before = state
        opensPicker()
        _ = selects(ElementsSample.manly)
        container.makeSelectRideOptionUseCase(id: "kangaroo").start()
        container.makeRequestRideUseCase().start()
        await turnsPass()
        #expect(state == before)
        #expect(model.calls.asked == [.loadOptions(ElementsSample.trip), .request(Self.request)])
    }

    @Test func `a failed request is an error, and another one needs the options again`() async throws {
        try await chooses()
        container.makeRequestRideUseCase().start()
        let error = try await model.fails(.request(Self.request))
        try await eventually { state.errors == [error] }
        #expect(state.step == .rideRequestFailed(.wallaby, error.id))
        container.makeRequestRideUseCase().start()
        await turnsPass()
        #expect(model.calls.asked.last == .request(Self.request))
        #expect(model.calls.asked.count == 2)
        #expect(signedIn.signedIn.state.screen == .gettingUserLocation && events.all.isEmpty)
    }

    @Test(arguments: [true, false])
    func `the answer to a cancelled request changes nothing, and is no event`(_ succeeds: Bool) async throws {
        model.calls.keepsCancelled()
        try await chooses()
        weak let request = starts(container.makeRequestRideUseCase())
        try await model.calls.isAsked()
        request?.cancel()
        let before = state
        try await model.answers(.request(Self.request), successfully: succeeds)
        try await eventually { request == nil }
        #expect(state == before && signedIn.signedIn.state.screen == .gettingUserLocation)
        #expect(events.all.isEmpty)
    }
}

extension RideOptions {
    /// The offer with the first option selected.
    fileprivate static var wallaby: RideOptions {
        var options = RideOptions(options: ElementsSample.options)
        options.selectedID = "wallaby"
        return options
    }
}

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
