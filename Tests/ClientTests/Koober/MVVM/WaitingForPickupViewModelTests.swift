import KooberKit
import KooberMVVM
import KooberScenarios
import Observation
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct WaitingForPickupViewModelTests {
    private let trip = SampleTrip()
    private let rides = TestRides()
    private let responder = RecordingResponder()

    private func waiting(_ status: RideStatus = .requested) -> WaitingForPickupViewModel {
        WaitingForPickupViewModel(
            ride: trip.ride(status), newRideRepository: rides, startNewRideResponder: responder)
    }

    @Test func `a view shows each state of the ride, even of those that arrive together`() async throws {
        let viewModel = waiting()
        let seen = Seen(viewModel)
        viewModel.followRide()
        for status in [RideStatus.accepted, .arriving, .inProgress, .completed] { rides.update(trip.ride(status)) }
        try await eventually { viewModel.ride.status == .completed && seen.statuses.last == .completed }
        #expect(seen.statuses == [.requested, .accepted, .arriving, .inProgress, .completed])
    }

    @Test(arguments: [RideStatus.requested, .accepted, .arriving, .inProgress, .completed, .cancelledByRider])
    func `a ride can be cancelled before the pick-up, and the next one starts after the end`(_ status: RideStatus)
        throws
    {
        let viewModel = waiting(status)
        if status.isFinal {
            try viewModel.startNewRide()
            #expect(responder.events == [.startNewRide])
        } else {
            #expect(throws: IllegalTransition.self) { try viewModel.startNewRide() }
            #expect(responder.events.isEmpty)
        }
        if status.isCancellable {
            try viewModel.cancelRide()
            #expect(viewModel.isCancelling)
        }
        #expect(throws: IllegalTransition.self) { try viewModel.cancelRide() }
        #expect(viewModel.ride == trip.ride(status))
    }

    @Test func `late updates do not revive a cancelled ride`() async throws {
        let viewModel = waiting()
        viewModel.followRide()
        try viewModel.cancelRide()
        rides.cancelling.keepsCancelled()
        rides.update(trip.ride(.accepted))
        try await eventually { viewModel.ride.status == .accepted }
        #expect(viewModel.isCancelling)
        try await rides.cancelling.isAsked()
        rides.update(trip.ride(.noDriversAvailable))
        try await eventually { viewModel.ride.status.isFinal }
        #expect(!viewModel.isCancelling)
        // Late answers.
        try await rides.cancelling.fails()
        rides.update(trip.ride(.requested))
        // The late answers would have arrived before this one.
        let other = waiting()
        try other.cancelRide()
        try await rides.cancelling.fails()
        try await eventually { !other.isCancelling }
        #expect(viewModel.ride.status == .noDriversAvailable)
        #expect(viewModel.errorMessages.pending.isEmpty)
    }

    @Test func `a ride is followed again once its own error is acknowledged`() async throws {
        let viewModel = waiting()
        viewModel.followRide()
        try viewModel.cancelRide()
        let refusal = try await rides.cancelling.fails()
        try await eventually { !viewModel.isCancelling }
        #expect(viewModel.errorMessages.pending.map(\.message) == [refusal])
        viewModel.errorMessages.acknowledge(try #require(viewModel.errorMessages.pending.first))
        #expect(rides.followed == 1)
        for count in 2...3 {
            rides.lose(trip.error)
            try await eventually { !viewModel.errorMessages.pending.isEmpty }
            #expect(rides.followed == count - 1)
            viewModel.errorMessages.acknowledge(try #require(viewModel.errorMessages.pending.first))
            #expect(rides.followed == count)
        }
        rides.update(trip.ride(.accepted))
        try await eventually { viewModel.ride.status == .accepted }
    }

    @Test func `a ride cancelled after a failure is not followed again`() async throws {
        let viewModel = waiting()
        viewModel.followRide()
        try viewModel.cancelRide()
        rides.lose(trip.error)
        try await eventually { !viewModel.errorMessages.pending.isEmpty }
        try await rides.cancelling.passes()
        try await eventually { viewModel.ride.status == .cancelledByRider }
        #expect(!viewModel.isCancelling)
        viewModel.errorMessages.acknowledge(try #require(viewModel.errorMessages.pending.first))
        #expect(rides.followed == 1)
    }

    @Test func `a deallocated view model stops following`() async throws {
        var viewModel: WaitingForPickupViewModel? = waiting()
        weak let gone = viewModel
        viewModel?.followRide()
        try await eventually { rides.followed == 1 }
        viewModel = nil
        #expect(gone == nil)
        try await eventually { rides.isLeft }
    }
}

/// The statuses that a view would show.
@MainActor
private final class Seen {
    private(set) var statuses: [RideStatus] = []
    private let viewModel: WaitingForPickupViewModel

    init(_ viewModel: WaitingForPickupViewModel) {
        self.viewModel = viewModel
        look()
    }

    private func look() {
        let status = withObservationTracking {
            viewModel.ride.status
        } onChange: { [weak self] in
            Task { @MainActor in self?.look() }
        }
        if status != statuses.last { statuses.append(status) }
    }
}
