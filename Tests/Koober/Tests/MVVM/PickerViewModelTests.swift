import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DropoffLocationPickerViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    /// It searches at once.
    private func picker(_ query: String = "", choosesMatch: Bool = false) -> DropoffLocationPickerViewModel {
        DropoffLocationPickerViewModel(
            pickupLocation: trip.pickup, locationRepository: world.makeLocationRepository(for: trip.session),
            dropoffLocationDeterminedResponder: responder, cancelDropoffLocationSelectionResponder: responder,
            errorMessages: errorMessages, query: query, choosesMatch: choosesMatch)
    }

    @Test func `results stay until the next ones, and a choice is passed on`() async throws {
        let viewModel = picker()
        #expect(viewModel.query.isEmpty && viewModel.isSearching && viewModel.searchResults.isEmpty)
        let near = try await world.search.passes { $0.isEmpty }
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults == near)
        viewModel.search(for: "Manly")
        #expect(viewModel.query == "Manly" && viewModel.isSearching && viewModel.searchResults == near)
        let error = try await world.search.fails()
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults == near)
        #expect(errorMessages.pending == [error])
        try viewModel.select(dropoffLocation: near[1])
        try viewModel.cancel()
        #expect(responder.events == [.dropOff(near[1]), .cancelDropoff])
    }

    @Test func `of several searches in the same turn only the last is sent`() async throws {
        let viewModel = picker()
        viewModel.search(for: "M")
        viewModel.search(for: "Manly")
        let found = try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(world.search.asked == ["Manly"])
        #expect(viewModel.searchResults == found)
    }

    @Test func `a late answer or failure of an older search is dropped`() async throws {
        let viewModel = picker()
        world.keepsCancelledCalls()
        try await world.search.isAsked { $0 == "" }
        viewModel.search(for: "none")
        try await world.search.isAsked { $0 == "none" }
        viewModel.search(for: "Manly")
        try await world.search.isAsked { $0 == "Manly" }
        try await world.search.passes { $0 == "" }
        try await world.search.fails { $0 == "none" }
        await turnsPass()
        #expect(viewModel.isSearching && viewModel.searchResults.isEmpty)
        let found = try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults == found)
        #expect(errorMessages.pending.isEmpty)
    }

    @Test func `a released picker cancels its search`() async throws {
        var viewModel: DropoffLocationPickerViewModel? = picker()
        weak let released = viewModel
        try await world.search.isAsked()
        viewModel = nil
        #expect(released == nil)
        try await eventually { world.search.waiting.isEmpty }
    }

    @Test func `a link whose search fails leaves the choice to the user`() async throws {
        let viewModel = picker("Manly", choosesMatch: true)
        let error = try await world.search.fails()
        try await eventually { !viewModel.isSearching }
        #expect(errorMessages.pending == [error])
        #expect(responder.events.isEmpty)
        viewModel.search(for: "Manly")
        try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(viewModel.searchResults.map(\.name) == ["Manly"])
        #expect(responder.events.isEmpty)
    }

    @Test(arguments: [("MANLY", true), ("Man", false), ("", false), ("Manly Beach", false)])
    func `only a result with the whole name is chosen`(_ query: String, _ isChosen: Bool) async throws {
        let viewModel = picker(query, choosesMatch: true)
        let found = try await world.search.passes { $0 == query }
        try await eventually { !viewModel.isSearching }
        #expect(responder.events == (isChosen ? [.dropOff(try #require(found.first))] : []))
    }

    @Test func `a name that matches is not chosen unless that is wanted`() async throws {
        let viewModel = picker("Manly")
        try await world.search.passes()
        try await eventually { !viewModel.isSearching }
        #expect(responder.events.isEmpty)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RideOptionPickerViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let errorMessages = ErrorMessages()
    private let viewModel: RideOptionPickerViewModel
    private var world: World { trip.world }

    init() {
        viewModel = RideOptionPickerViewModel(
            rideOptionRepository: trip.world.makeRideOptionRepository(for: trip.session), errorMessages: errorMessages)
        viewModel.rideOptionDeterminedResponder = responder
    }

    private func loads(selecting wanted: RideOption.ID? = nil) async throws -> [PricedRideOption] {
        viewModel.loadRideOptions(for: trip.waypoints, selecting: wanted)
        #expect(viewModel.isLoading && viewModel.options.isEmpty && viewModel.selected == nil)
        let options = try await world.rideOptions.passes { [waypoints = trip.waypoints] in $0 == waypoints }
        try await eventually { !viewModel.isLoading }
        return options
    }

    @Test func `options are loaded, and only the last chosen one is selected`() async throws {
        #expect(viewModel.options.isEmpty && !viewModel.isLoading)
        let options = try await loads()
        #expect(viewModel.options == options)
        #expect(viewModel.selected == nil)
        for index in [0, 2, 2, 1] {
            try viewModel.select(rideOptionID: options[index].id)
            #expect(viewModel.selected == options[index].id)
        }
        #expect(responder.events == [0, 2, 2, 1].map { .pickUp(options[$0]) })
    }

    @Test func `the next trip starts without options and selection`() async throws {
        let options = try await loads()
        try viewModel.select(rideOptionID: options[0].id)
        _ = try await loads()
        #expect(viewModel.selected == nil)
        #expect(viewModel.options == options)
    }

    @Test func `a refused or unknown choice selects nothing`() async throws {
        let options = try await loads()
        try viewModel.select(rideOptionID: "unicorn")
        #expect(responder.events.isEmpty)
        let pickMeUp = PickMeUpViewModel(
            pickupLocation: trip.pickup, map: PickMeUpMapViewModel(pickupLocation: trip.pickup),
            rideOptionPicker: viewModel, newRideRepository: world.makeNewRideRepository(for: trip.session),
            publisher: SignedInViewPublisher(), errorMessages: errorMessages)
        let refusal = try #require(throws: IllegalTransition.self) { try pickMeUp.confirmRide() }
        responder.refusal = refusal
        #expect(throws: refusal) { try viewModel.select(rideOptionID: options[0].id) }
        #expect(viewModel.selected == nil)
    }

    @Test(arguments: ["wallaroo", "unicorn"])
    func `a wanted option is selected once it is offered`(_ wanted: String) async throws {
        let options = try await loads(selecting: wanted)
        let option = options.first { $0.id == wanted }
        #expect(viewModel.selected == option?.id)
        #expect(responder.events == (option.map { [.pickUp($0)] } ?? []))
    }

    @Test func `options that fail to load leave an empty picker and an error`() async throws {
        viewModel.loadRideOptions(for: trip.waypoints)
        let error = try await world.rideOptions.fails()
        try await eventually { !viewModel.isLoading }
        #expect(viewModel.options.isEmpty)
        #expect(errorMessages.pending == [error])
    }

    @Test func `the late options of an earlier trip are dropped`() async throws {
        world.keepsCancelledCalls()
        let other = RideWaypoints(pickupLocation: trip.pickup, dropoffLocation: trip.manly.location)
        viewModel.loadRideOptions(for: other, selecting: "wallaby")
        try await world.rideOptions.isAsked()
        viewModel.loadRideOptions(for: trip.waypoints)
        try await world.rideOptions.isAsked { [waypoints = trip.waypoints] in $0 == waypoints }
        try await world.rideOptions.passes { $0 == other }
        await turnsPass()
        #expect(viewModel.isLoading && viewModel.options.isEmpty)
        let options = try await world.rideOptions.passes()
        try await eventually { !viewModel.isLoading }
        #expect(viewModel.options == options)
        #expect(viewModel.selected == nil && responder.events.isEmpty)
    }
}
