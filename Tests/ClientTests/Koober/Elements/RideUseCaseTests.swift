import KooberElements
import KooberKit
import KooberScenarios
import PouchEntities
import Testing

/// Use cases in a world that answers when the test says so.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RideUseCaseTests {
    private let world = World(SampleService())

    private func signedIn() async throws -> SignedInContainer {
        let session = try await world.hasSignedIn(world.service.rider)
        return AppContainer(model: world).makeSignedInContainer(userSession: session)
    }

    private func pickMeUp() async throws -> PickMeUpContainer {
        try await signedIn().makePickMeUpContainer(pickupLocation: SampleService.sydney)
    }

    private func waiting() async throws -> WaitingForPickupContainer {
        let ride = try await world.hasRide(world.service.rider)
        return try await signedIn().makeWaitingForPickupContainer(ride: ride)
    }

    @Test(arguments: [true, false])
    func `a cancelled search shows neither results nor an error, whenever it is answered`(
        _ succeeds: Bool
    ) async throws {
        let container = try await pickMeUp()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        world.keepsCancelledCalls()
        let search = container.makeSearchDropoffLocationsUseCase(query: "manly")
        search.start()
        try await world.search.isAsked()
        search.cancel()
        let searching = container.pickMeUp.state
        if succeeds { try await world.search.passes() } else { try await world.search.fails() }
        let next = container.makeSearchDropoffLocationsUseCase(query: "bondi")
        next.start()
        try await world.search.isAsked()
        #expect(container.pickMeUp.state.dropoffPicker?.results == searching.dropoffPicker?.results)
        #expect(container.pickMeUp.state.errors.isEmpty)
        try await world.search.passes()
        let found = try await state(of: container.pickMeUp) { $0.dropoffPicker?.isSearching == false }
        #expect(found.dropoffPicker?.results.map(\.name) == ["Bondi Beach"])
        #expect(found.errors.isEmpty)
    }

    @Test func `a search says that it is under way, and keeps the earlier results meanwhile`() async throws {
        let container = try await pickMeUp()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        container.makeSearchDropoffLocationsUseCase(query: "").start()
        #expect(container.pickMeUp.state.dropoffPicker?.isSearching == true)
        let near = try await world.search.passes()
        _ = try await state(of: container.pickMeUp) { $0.dropoffPicker?.isSearching == false }
        container.makeSearchDropoffLocationsUseCase(query: "manly").start()
        #expect(container.pickMeUp.state.dropoffPicker?.isSearching == true)
        #expect(container.pickMeUp.state.dropoffPicker?.query == "manly")
        #expect(container.pickMeUp.state.dropoffPicker?.results == near)
    }

    @Test func `options answered beneath an open picker are there when it is closed`() async throws {
        let container = try await pickMeUp()
        container.makeSelectDropoffLocationUseCase(
            NamedLocation(name: "Manly", location: GeoPoint(latitude: -33.8, longitude: 151.3))
        ).start()
        container.makeLoadRideOptionsUseCase().start()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        let options = try await world.rideOptions.passes()
        _ = try await state(of: container.pickMeUp) { $0.step == .selectRideOption(RideOptions(options: options)) }
        #expect(container.pickMeUp.state.dropoffPicker != nil)
    }

    @Test func `nothing is asked for where something is missing`() async throws {
        let container = try await pickMeUp()
        let before = container.pickMeUp.state
        container.makeLoadRideOptionsUseCase().start()
        container.makeSelectRideOptionUseCase(id: "wallaby").start()
        container.makeRequestRideUseCase().start()
        #expect(container.pickMeUp.state == before)
        #expect(world.rideOptions.asked.isEmpty)
        #expect(world.request.asked.isEmpty)
    }

    @Test func `who stops looking for their ride is not asked where they are`() async throws {
        let container = try await signedIn()
        let begin = container.makeBeginRideUseCase(lookingForActiveRide: true)
        begin.start()
        try await world.activeRide.isAsked()
        begin.cancel()
        try await eventually { world.activeRide.waiting.isEmpty }
        container.makeBeginRideUseCase(lookingForActiveRide: false).start()
        try await world.userLocation.passes()
        _ = try await state(of: container.signedIn) { $0.screen != .gettingUserLocation }
        #expect(world.userLocation.asked.count == 1)
    }

    @Test func `what was on its way when a ride was cancelled does not bring it back`() async throws {
        let container = try await waiting()
        let before = container.waiting.state.ride
        container.makeFollowRideUseCase().start()
        try await world.updates.isAsked()
        container.makeCancelRideUseCase().start()
        #expect(container.waiting.state.isCancelling)
        let cancelled = try await world.cancel.passes()
        _ = try await state(of: container.waiting) { $0.ride == cancelled && !$0.isCancelling }
        #expect(try await world.updates.passes().status == before.status)
        try await world.updates.passes()
        #expect(container.waiting.state.ride == cancelled)
    }

    @Test func `a cancellation that fails after the ride has ended is not told`() async throws {
        let container = try await waiting()
        container.makeFollowRideUseCase().start()
        try await world.updates.passes()
        container.makeCancelRideUseCase().start()
        try await world.cancel.isAsked()
        while !container.waiting.state.ride.status.isFinal {
            try await world.service.timePasses()
            let ride = try await world.updates.passes()
            _ = try await state(of: container.waiting) { $0.ride == ride }
        }
        #expect(!container.waiting.state.isCancelling)
        try await world.cancel.fails()
        // The next one begins after that was told.
        container.makeCancelRideUseCase().start()
        try await world.cancel.fails()
        let state = try await state(of: container.waiting) { !$0.isCancelling }
        #expect(state.errors.count == 1)
    }
}
