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

    private func sending(_ request: NewRideRequest) -> SendingRideRequestViewModel {
        SendingRideRequestViewModel(
            rideRequest: request, newRideRepository: world.makeNewRideRepository(for: trip.session),
            newRideRequestAcceptedResponder: responder, newRideRequestFailedResponder: responder)
    }

    private func loaded() async throws -> RideOptionPickerViewModel {
        let viewModel = optionPicker()
        viewModel.loadRideOptions()
        try await world.rideOptions.passes()
        try await eventually { !viewModel.isLoading }
        return viewModel
    }

    @Test func `what was found stays until something else is, and a choice is told`() async throws {
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

    @Test func `of two searches in one breath the first asks nobody`() async throws {
        let viewModel = dropoffPicker()
        viewModel.search(for: "M")
        viewModel.search(for: "Manly")
        let found = try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(world.search.asked == ["Manly"])
        #expect(viewModel.searchResults == found)
    }

    @Test func `an older search that answers late, or fails, is not heard of`() async throws {
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

    @Test func `a picker that is closed searches no more`() async throws {
        var viewModel: DropoffLocationPickerViewModel? = dropoffPicker()
        weak let gone = viewModel
        viewModel?.search(for: "")
        try await world.search.isAsked()
        viewModel = nil
        #expect(gone == nil)
        try await eventually { world.search.waiting.isEmpty }
    }

    @Test func `options are loaded, and exactly the one that was chosen is selected`() async throws {
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

    @Test func `a choice that is refused, or of nothing, selects nothing`() async throws {
        let viewModel = try await loaded()
        try viewModel.select(rideOptionID: "unicorn")
        #expect(responder.events.isEmpty)
        let pickMeUp = PickMeUpViewModel(
            pickupLocation: trip.pickup, mapViewModel: PickMeUpMapViewModel(pickupLocation: trip.pickup),
            rideRequestConfirmedResponder: responder, newRideRequestFailedResponder: responder)
        let refusal = try #require(throws: IllegalTransition.self) { try pickMeUp.confirmRide() }
        responder.refusal = refusal
        #expect(throws: refusal) { try viewModel.select(rideOptionID: viewModel.segments[0].id) }
        #expect(!viewModel.segments.contains { $0.isSelected })
    }

    @Test func `options that cannot be loaded leave an empty picker and an error`() async throws {
        let viewModel = optionPicker()
        viewModel.loadRideOptions()
        let error = try await world.rideOptions.fails()
        try await eventually { !viewModel.isLoading }
        #expect(viewModel.segments.isEmpty)
        #expect(viewModel.errorMessages.pending.map(\.message) == [error])
    }

    @Test func `a request is sent once, and its ride or its failure told`() async throws {
        let request = NewRideRequest(waypoints: trip.waypoints, option: await trip.options()[0])
        let first = sending(request)
        first.sendRideRequest()
        let error = try await world.request.fails()
        try await eventually { responder.events == [.failed(error)] }
        let second = sending(request)
        second.sendRideRequest()
        let ride = try await world.request.passes { $0 == request }
        try await eventually { responder.events == [.failed(error), .accepted(ride)] }
        #expect(world.request.asked == [request, request])
    }
}
