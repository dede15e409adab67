import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct WaitingForPickupViewModelTests {
    private let trip = SampleTrip()
    private let rides: TestRides
    private let publisher: SignedInViewPublisher
    private let errorMessages = ErrorMessages()

    init() {
        rides = TestRides(cancelled: trip.ride(.cancelledByRider))
        publisher = SignedInViewPublisher(.waitingForPickup(trip.ride()))
    }

    /// It follows the ride at once.
    private func waiting(_ status: RideStatus = .requested) -> WaitingForPickupViewModel {
        WaitingForPickupViewModel(
            ride: trip.ride(status), newRideRepository: rides, publisher: publisher, errorMessages: errorMessages)
    }

    @Test func `a view shows each state of the ride, even of those that arrive together`() async throws {
        let viewModel = waiting()
        let cycle = UpdateCycle()
        var statuses: [RideStatus] = []
        let subscription = cycle.subscribe(to: { viewModel.ride.status }, receive: { statuses.append($0) })
        try await eventually { rides.followed == 1 }
        for status in [RideStatus.accepted, .arriving, .inProgress, .completed] { rides.update(trip.ride(status)) }
        try await eventually { statuses.last == .completed }
        // States within one turn may show only in the last of them.
        #expect(statuses.first == .requested)
        #expect(statuses == statuses.sorted { order($0) < order($1) })
        withExtendedLifetime(subscription) {}
    }

    private func order(_ status: RideStatus) -> Int {
        [RideStatus.requested, .accepted, .arriving, .inProgress, .completed].firstIndex(of: status) ?? -1
    }

    @Test(arguments: [RideStatus.requested, .accepted, .arriving, .inProgress, .completed, .cancelledByRider])
    func `a ride can be cancelled before the pick-up, and the next one starts after the end`(_ status: RideStatus)
        async throws
    {
        let viewModel = waiting(status)
        viewModel.cancelRide()
        #expect(viewModel.isCancelling == status.isCancellable)
        viewModel.cancelRide()
        viewModel.startNewRide()
        #expect(publisher.view == (status.isFinal ? .gettingUsersLocation : .waitingForPickup(trip.ride())))
        if status.isCancellable { try await rides.cancelling.isAsked() }
        if !status.isFinal { try await eventually { rides.followed == 1 } }
        await turnsPass()
        #expect(rides.cancelling.asked.count == (status.isCancellable ? 1 : 0))
        #expect(rides.followed == (status.isFinal ? 0 : 1))
        #expect(viewModel.ride == trip.ride(status))
    }

    @Test func `a ride is cancelled by one call, and ends with its answer`() async throws {
        let viewModel = waiting(.accepted)
        viewModel.cancelRide()
        try await rides.cancelling.isAsked()
        viewModel.cancelRide()
        await turnsPass()
        #expect(rides.cancelling.asked == ["rid_1"])
        try await rides.cancelling.passes()
        try await eventually { !viewModel.isCancelling }
        #expect(viewModel.ride.status == .cancelledByRider)
        viewModel.cancelRide()
        #expect(!viewModel.isCancelling)
    }

    @Test func `a refused cancellation is an error, and can be repeated`() async throws {
        let viewModel = waiting()
        for count in 1...2 {
            viewModel.cancelRide()
            let refusal = try await rides.cancelling.fails(trip.error)
            try await eventually { !viewModel.isCancelling }
            #expect(errorMessages.pending.last == refusal)
            #expect(rides.cancelling.asked.count == count)
        }
        #expect(viewModel.ride.status == .requested)
        // That error is not one of following.
        for _ in 1...2 { errorMessages.acknowledge() }
        await turnsPass()
        #expect(rides.followed == 1)
    }

    @Test func `late answers change nothing once the ride has ended`() async throws {
        let viewModel = waiting()
        viewModel.cancelRide()
        rides.cancelling.keepsCancelled()
        try await rides.cancelling.isAsked()
        try await eventually { rides.followed == 1 }
        rides.update(trip.ride(.accepted))
        try await eventually { viewModel.ride.status == .accepted }
        #expect(viewModel.isCancelling)
        rides.update(trip.ride(.noDriversAvailable))
        try await eventually { viewModel.ride.status.isFinal }
        #expect(!viewModel.isCancelling)
        try await rides.cancelling.fails()
        rides.update(trip.ride(.requested))
        await turnsPass()
        #expect(viewModel.ride.status == .noDriversAvailable && errorMessages.pending.isEmpty)
    }

    @Test func `a ride cancelled after an interruption is not followed again`() async throws {
        let viewModel = waiting()
        viewModel.cancelRide()
        try await eventually { rides.followed == 1 }
        rides.lose(trip.error)
        try await eventually { !errorMessages.pending.isEmpty }
        try await rides.cancelling.passes()
        try await eventually { viewModel.ride.status == .cancelledByRider }
        errorMessages.acknowledge()
        await turnsPass()
        #expect(rides.followed == 1)
    }

    @Test func `a released view model stops following, and its error continues nothing`() async throws {
        var viewModel: WaitingForPickupViewModel? = waiting()
        weak let released = viewModel
        try await eventually { rides.followed == 1 }
        viewModel = nil
        #expect(released == nil)
        try await eventually { rides.isLeft }
        var other: WaitingForPickupViewModel? = waiting()
        try await eventually { rides.followed == 2 }
        rides.lose(trip.error)
        try await eventually { !errorMessages.pending.isEmpty }
        withExtendedLifetime(other) {}
        other = nil
        errorMessages.acknowledge()
        await turnsPass()
        #expect(rides.followed == 2)
    }
}
