import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PickerViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private var world: World { trip.world }

    private func dropoffPicker() -> DropoffLocationPickerViewModel {
        DropoffLocationPickerViewModel(
            pickupLocation: trip.pickup, locationRepository: world.makeLocationRepository(for: trip.session),
            dropoffLocationDeterminedResponder: responder, cancelDropoffLocationSelectionResponder: responder)
    }

    private func optionPicker() -> RideOptionPickerViewModel {
        RideOptionPickerViewModel(
            waypoints: trip.waypoints, rideOptionRepository: world.makeRideOptionRepository(for: trip.session),
            rideOptionDeterminedResponder: responder)
    }

    private func loaded() async throws -> RideOptionPickerViewModel {
        let viewModel = optionPicker()
        viewModel.loadRideOptions()
        try await world.rideOptions.passes()
        try await eventually { !viewModel.isLoading }
        return viewModel
    }

    @Test func `results stay until the next ones, and a choice is passed on`() async throws {
        let viewModel = dropoffPicker()
        viewModel.search(for: "")
        #expect(viewModel.isSearching && viewModel.searchResults.isEmpty)
        let near = try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults == near)
        viewModel.search(for: "Manly")
        #expect(viewModel.query == "Manly" && viewModel.isSearching && viewModel.searchResults == near)
        let error = try await world.search.fails()
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults == near)
        #expect(viewModel.errorMessages.pending.map(\.message) == [error])
        try viewModel.select(dropoffLocation: near[1])
        try viewModel.cancel()
        #expect(responder.events == [.dropOff(near[1]), .cancelDropoff])
    }

    @Test func `of two searches in the same turn only the second is sent`() async throws {
        let viewModel = dropoffPicker()
        viewModel.search(for: "M")
        viewModel.search(for: "Manly")
        let found = try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(world.search.asked == ["Manly"])
        #expect(viewModel.searchResults == found)
    }

    @Test func `a late answer or failure of an older search is dropped`() async throws {
        let viewModel = dropoffPicker()
        world.keepsCancelledCalls()
        viewModel.search(for: "")
        try await world.search.isAsked { $0 == "" }
        viewModel.search(for: "none")
        try await world.search.isAsked { $0 == "none" }
        viewModel.search(for: "Manly")
        try await world.search.isAsked { $0 == "Manly" }
        try await world.search.passes { $0 == "" }
        try await world.search.fails { $0 == "none" }
        #expect(viewModel.isSearching)
        let found = try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults == found)
        #expect(viewModel.errorMessages.pending.isEmpty)
    }

    @Test func `a deallocated picker cancels its search`() async throws {
        var viewModel: DropoffLocationPickerViewModel? = dropoffPicker()
        weak let gone = viewModel
        viewModel?.search(for: "")
        try await world.search.isAsked()
        viewModel = nil
        #expect(gone == nil)
        try await eventually { world.search.waiting.isEmpty }
    }

    @Test func `options are loaded, and only the chosen one is selected`() async throws {
        let viewModel = optionPicker()
        viewModel.loadRideOptions()
        #expect(viewModel.isLoading && viewModel.segments.isEmpty)
        let options = try await world.rideOptions.passes { $0 == trip.waypoints }
        try await eventually { !viewModel.isLoading }
        #expect(viewModel.segments.map(\.id) == options.map(\.id))
        #expect(viewModel.segments.map(\.fare) == options.map(\.quote.fare))
        #expect(!viewModel.segments.contains { $0.isSelected })
        for index in [0, 2, 2, 1] {
            try viewModel.select(rideOptionID: options[index].id)
            #expect(viewModel.segments.filter(\.isSelected).map(\.id) == [options[index].id])
        }
        #expect(responder.events == [0, 2, 2, 1].map { .pickUp(options[$0]) })
    }

    @Test func `a refused or unknown choice selects nothing`() async throws {
        let viewModel = try await loaded()
        try viewModel.select(rideOptionID: "unicorn")
        #expect(responder.events.isEmpty)
        let pickMeUp = PickMeUpViewModel(
            pickupLocation: trip.pickup, mapViewModel: PickMeUpMapViewModel(pickupLocation: trip.pickup),
            newRideRepository: world.makeNewRideRepository(for: trip.session), rideRequestResponder: responder)
        let refusal = try #require(throws: IllegalTransition.self) { try pickMeUp.confirmRide() }
        responder.refusal = refusal
        #expect(throws: refusal) { try viewModel.select(rideOptionID: viewModel.segments[0].id) }
        #expect(!viewModel.segments.contains { $0.isSelected })
    }

    @Test func `options that fail to load leave an empty picker and an error`() async throws {
        let viewModel = optionPicker()
        viewModel.loadRideOptions()
        let error = try await world.rideOptions.fails()
        try await eventually { !viewModel.isLoading }
        #expect(viewModel.segments.isEmpty)
        #expect(viewModel.errorMessages.pending.map(\.message) == [error])
    }
}
