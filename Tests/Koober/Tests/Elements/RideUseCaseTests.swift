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
    private let events: Received<AppEvent>

    init() {
        let app = AppContainer(model: model)
        signedIn = SignedInContainer(app: app, userSession: Sample.session)
        container = PickMeUpContainer(signedIn: signedIn, pickupLocation: Sample.sydney)
        events = Received(app.events)
    }

    private var state: PickMeUpState { container.pickMeUp.state }
    private func opensPicker() { container.makePresentDropoffPickerUseCase(isPresented: true).start() }

    private func searches(_ query: String, choosesMatch: Bool = false) -> any CancelableUseCase {
        starts(container.makeSearchDropoffLocationsUseCase(query: query, choosesMatch: choosesMatch))
    }

    private func selects(_ place: NamedLocation) -> any CancelableUseCase {
        starts(container.makeSelectDropoffLocationUseCase(place, option: nil))
    }

    private static let manlyTrip = RideWaypoints(pickupLocation: Sample.sydney, dropoffLocation: Sample.manly.location)
    private static let offer = RideOptions(options: Sample.options)

    /// A trip to Bondi with the first option selected.
    private func chooses() async throws {
        _ = selects(Sample.bondi)
        try await model.passes(.loadOptions(Sample.trip))
        try await eventually { state.step == .selectRideOption(Self.offer) }
        container.makeSelectRideOptionUseCase(id: "wallaby").start()
        container.makeSelectRideOptionUseCase(id: "unicorn").start()
        #expect(state.step == .selectRideOption(.wallaby))
    }

    @Test(arguments: [("BONDI BEACH", true), ("Bondi", true), ("Bondi Beach", false)])
    func `only a result with just the searched name is a match, if the search is to choose it`(
        _ query: String, _ chooses: Bool
    ) async throws {
        opensPicker()
        _ = searches(query, choosesMatch: chooses)
        try await model.passes(.search(query, Sample.sydney))
        try await eventually { state.dropoffPicker?.isSearching == false }
        #expect(state.dropoffPicker?.match == (query == "BONDI BEACH" ? Sample.bondi : nil))
    }

    @Test func `the answer to the latest search counts even if the earlier one is not cancelled`() async throws {
        opensPicker()
        weak let older = searches("m")
        _ = searches("manly")
        try await model.passes(.search("manly", Sample.sydney))
        try await eventually { state.dropoffPicker?.isSearching == false }
        let answered = state
        try await model.fails(.search("m", Sample.sydney))
        try await eventually { older == nil }
        #expect(state == answered)
    }

    @Test(arguments: [true, false])
    func `options of an earlier trip are dropped`(_ succeeds: Bool) async throws {
        weak let older = selects(Sample.manly)
        try await model.calls.isAsked()
        _ = selects(Sample.bondi)
        try await model.answers(.loadOptions(Self.manlyTrip), successfully: succeeds)
        try await eventually { older == nil }
        #expect(state.step == .selectRideOption(RideOptions(isLoading: true)))
        #expect(state.errors.isEmpty)
        try await model.passes(.loadOptions(Sample.trip))
        try await eventually { state.step == .selectRideOption(Self.offer) }
    }

    @Test func `a second answer for the same trip does not undo the selection`() async throws {
        weak let second = selects(Sample.bondi)
        try await model.calls.isAsked()
        try await chooses()
        try await model.passes(.loadOptions(Sample.trip))
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
        #expect(model.calls.asked == [.loadOptions(Sample.trip), .search("manly", Sample.sydney)])
    }

    @Test func `a request blocks everything else, and is sent once`() async throws {
        try await chooses()
        container.makeRequestRideUseCase().start()
        try await model.calls.isAsked()
        let before = state
        opensPicker()
        _ = selects(Sample.manly)
        container.makeSelectRideOptionUseCase(id: "kangaroo").start()
        container.makeRequestRideUseCase().start()
        await turnsPass()
        #expect(state == before)
        #expect(model.calls.asked == [.loadOptions(Sample.trip), .request(Sample.request)])
    }

    @Test func `a failed request is an error, and another one needs the options again`() async throws {
        try await chooses()
        container.makeRequestRideUseCase().start()
        let error = try await model.fails(.request(Sample.request))
        try await eventually { state.errors == [error] }
        #expect(state.step == .rideRequestFailed(.wallaby, error.id))
        container.makeRequestRideUseCase().start()
        await turnsPass()
        #expect(model.calls.asked.last == .request(Sample.request))
        #expect(model.calls.asked.count == 2)
        #expect(signedIn.signedIn.state.screen == .gettingUserLocation && events.values.isEmpty)
    }
}

extension RideOptions {
    /// The offer with the first option selected.
    fileprivate static var wallaby: RideOptions {
        var options = RideOptions(options: Sample.options)
        options.selectedID = "wallaby"
        return options
    }
}
