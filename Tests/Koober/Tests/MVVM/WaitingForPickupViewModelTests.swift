import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct WaitingForPickupViewModelTests {
    private let model = GatedModel()
    private let publisher = SignedInViewPublisher(.waitingForPickup(Sample.ride()))
    private let errorMessages = ErrorMessages()

    /// It follows the ride at once.
    private func waiting(_ status: RideStatus = .requested) -> WaitingForPickupViewModel {
        WaitingForPickupViewModel(
            ride: Sample.ride(status), newRideRepository: model.makeNewRideRepository(for: Sample.session),
            publisher: publisher, errorMessages: errorMessages)
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
        #expect(publisher.view == (status.isFinal ? .gettingUsersLocation : .waitingForPickup(Sample.ride())))
        if status.isCancellable { try await model.calls.isAsked() }
        if !status.isFinal { try await eventually { model.rides.followerCount == 1 } }
        await turnsPass()
        #expect(model.calls.asked.count == (status.isCancellable ? 1 : 0))
        #expect(model.rides.followed == (status.isFinal ? 0 : 1))
        #expect(viewModel.ride == Sample.ride(status))
    }

    @Test func `late answers change nothing once the ride has ended`() async throws {
        let viewModel = waiting()
        viewModel.cancelRide()
        model.calls.keepsCancelled()
        try await model.calls.isAsked()
        try await eventually { model.rides.followerCount == 1 }
        model.rides.send(Sample.ride(.accepted))
        try await eventually { viewModel.ride.status == .accepted }
        #expect(viewModel.isCancelling)
        model.rides.send(Sample.ride(.noDriversAvailable))
        try await eventually { viewModel.ride.status.isFinal }
        #expect(!viewModel.isCancelling)
        try await model.calls.fails()
        model.rides.send(Sample.ride(.requested))
        await turnsPass()
        #expect(viewModel.ride.status == .noDriversAvailable && errorMessages.pending.isEmpty)
    }

    @Test func `a ride cancelled after an interruption is not followed again`() async throws {
        let viewModel = waiting()
        viewModel.cancelRide()
        try await eventually { model.rides.followerCount == 1 }
        model.rides.finish(throwing: Sample.error)
        try await eventually { !errorMessages.pending.isEmpty }
        try await model.calls.passes()
        try await eventually { viewModel.ride.status == .cancelledByRider }
        errorMessages.acknowledge()
        await turnsPass()
        #expect(model.rides.followed == 1)
    }
}
