import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PickMeUpViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let map: PickMeUpMapViewModel
    private let viewModel: PickMeUpViewModel

    init() {
        map = PickMeUpMapViewModel(pickupLocation: trip.pickup)
        viewModel = PickMeUpViewModel(
            pickupLocation: trip.pickup, mapViewModel: map,
            newRideRepository: trip.world.makeNewRideRepository(for: trip.session), rideRequestResponder: responder)
    }

    enum Place: CaseIterable {
        case initial, pickerOverInitial, options, pickerOverOptions, confirm, pickerOverConfirm, sending
    }

    enum Step: CaseIterable {
        case showPicker, cancelPicker, dropOff, pickUp, confirm
    }

    /// The result of each legal step.
    private static let legal: [Place: [Step: Place]] = [
        .initial: [.showPicker: .pickerOverInitial],
        .pickerOverInitial: [.cancelPicker: .initial, .dropOff: .options],
        .options: [.showPicker: .pickerOverOptions, .pickUp: .confirm],
        .pickerOverOptions: [.cancelPicker: .options, .dropOff: .options],
        .confirm: [.showPicker: .pickerOverConfirm, .pickUp: .confirm, .confirm: .sending],
        .pickerOverConfirm: [.cancelPicker: .confirm, .dropOff: .options],
        .sending: [:],
    ]

    private struct State: Equatable {
        let view: PickMeUpView
        let progress: PickMeUpRequestProgress
        let rideOptionPicker: NavigationAction<RideWaypoints>?
        let dropoff: NamedLocation?
    }

    private var state: State {
        State(
            view: viewModel.view, progress: viewModel.progress, rideOptionPicker: viewModel.rideOptionPickerAction,
            dropoff: map.dropoffLocation)
    }

    private func take(_ step: Step, _ option: PricedRideOption) throws(IllegalTransition) {
        switch step {
        case .showPicker: try viewModel.showSelectDropoffLocationView()
        case .cancelPicker: try viewModel.cancelDropoffLocationSelection()
        case .dropOff:
            try viewModel.dropOffUser(at: trip.dropoff)
            viewModel.uiPresented(rideOptionPickerFor: trip.waypoints)
        case .pickUp: try viewModel.pickUpUser(in: option)
        case .confirm: try viewModel.confirmRide()
        }
    }

    private func go(to place: Place, _ option: PricedRideOption) throws {
        let steps: [Step] =
            switch place {
            case .initial: []
            case .pickerOverInitial: [.showPicker]
            case .options: [.showPicker, .dropOff]
            case .pickerOverOptions: [.showPicker, .dropOff, .showPicker]
            case .confirm: [.showPicker, .dropOff, .pickUp]
            case .pickerOverConfirm: [.showPicker, .dropOff, .pickUp, .showPicker]
            case .sending: [.showPicker, .dropOff, .pickUp, .confirm]
            }
        for step in steps { try take(step, option) }
    }

    private func expected(at place: Place, _ option: PricedRideOption) -> State {
        let request = NewRideRequest(waypoints: trip.waypoints, option: option)
        let (view, progress): (PickMeUpView, PickMeUpRequestProgress) =
            switch place {
            case .initial: (.initial, .initial(pickupLocation: trip.pickup))
            case .pickerOverInitial: (.selectDropoffLocation, .initial(pickupLocation: trip.pickup))
            case .options: (.selectRideOption, .waypointsDetermined(waypoints: trip.waypoints))
            case .pickerOverOptions: (.selectDropoffLocation, .waypointsDetermined(waypoints: trip.waypoints))
            case .confirm: (.confirmRequest, .rideRequestReady(rideRequest: request))
            case .pickerOverConfirm: (.selectDropoffLocation, .rideRequestReady(rideRequest: request))
            case .sending: (.sendingRideRequest(request), .rideRequestReady(rideRequest: request))
            }
        let hasTrip = place != .initial && place != .pickerOverInitial
        return State(
            view: view, progress: progress, rideOptionPicker: hasTrip ? .presented(view: trip.waypoints) : nil,
            dropoff: hasTrip ? trip.dropoff : nil)
    }

    @Test(arguments: Place.allCases, Step.allCases)
    func `each step from each place leads to the right place or is refused`(_ place: Place, _ step: Step) async throws {
        let option = await trip.options()[0]
        try go(to: place, option)
        #expect(state == expected(at: place, option))
        if let next = Self.legal[place]?[step] {
            try take(step, option)
            #expect(state == expected(at: next, option))
        } else {
            let error = #expect(throws: IllegalTransition.self) { try take(step, option) }
            #expect(error?.state == "\(viewModel.view)")
            #expect(state == expected(at: place, option))
        }
    }

    @Test(arguments: Place.allCases.filter { $0 != .sending })
    func `no request is sent before the ride is confirmed`(_ place: Place) async throws {
        let option = await trip.options()[0]
        try go(to: place, option)
        for _ in 0..<100 { await Task.yield() }
        #expect(trip.world.request.asked.isEmpty)
        #expect(responder.events.isEmpty)
        #expect(state == expected(at: place, option))
        #expect(viewModel.errorMessages.pending.isEmpty)
    }

    @Test func `after a failed request is acknowledged, the fares are loaded again`() async throws {
        let option = await trip.options()[1]
        try go(to: .sending, option)
        let message = try await trip.world.request.fails()
        try await eventually { responder.events == [.preparedRequest, .requestFailed] }
        #expect(state == expected(at: .confirm, option))
        let error = try #require(viewModel.errorMessages.pending.first)
        #expect(error.message == message)
        viewModel.errorMessages.acknowledge(error)
        #expect(viewModel.view == .selectRideOption)
        #expect(viewModel.progress == .waypointsDetermined(waypoints: trip.waypoints))
        #expect(viewModel.rideOptionPickerAction == .present(view: trip.waypoints))
    }

    @Test func `a refused request is not sent`() async throws {
        let option = await trip.options()[0]
        try go(to: .confirm, option)
        let refusal = try #require(throws: IllegalTransition.self) { try viewModel.dropOffUser(at: trip.dropoff) }
        responder.refusal = refusal
        #expect(throws: refusal) { try viewModel.confirmRide() }
        #expect(state == expected(at: .confirm, option))
        #expect(trip.world.request.asked.isEmpty)
    }

    @Test func `a request is sent once, and its ride or its failure is reported`() async throws {
        let option = await trip.options()[0]
        try go(to: .sending, option)
        try await trip.world.request.fails()
        try await eventually { responder.events == [.preparedRequest, .requestFailed] }
        viewModel.errorMessages.acknowledge(try #require(viewModel.errorMessages.pending.first))
        try take(.pickUp, option)
        try take(.confirm, option)
        let request = NewRideRequest(waypoints: trip.waypoints, option: option)
        let ride = try await trip.world.request.passes { $0 == request }
        try await eventually {
            responder.events == [.preparedRequest, .requestFailed, .preparedRequest, .accepted(ride)]
        }
        #expect(trip.world.request.asked == [request, request])
    }

    @Test func `choosing the same destination again loads its options again`() async throws {
        let option = await trip.options()[0]
        try go(to: .pickerOverOptions, option)
        try viewModel.dropOffUser(at: trip.dropoff)
        #expect(viewModel.rideOptionPickerAction == .present(view: trip.waypoints))
    }

    @Test func `another destination is marked on the map, and another option is requested`() async throws {
        let options = await trip.options()
        try go(to: .pickerOverConfirm, options[0])
        let other = NamedLocation(
            name: "Manly", location: GeoPoint(latitude: -33.7969, longitude: 151.2840))
        try viewModel.dropOffUser(at: other)
        #expect(map.dropoffLocation == other)
        try viewModel.pickUpUser(in: options[1])
        try viewModel.pickUpUser(in: options[2])
        try viewModel.confirmRide()
        let waypoints = RideWaypoints(pickupLocation: trip.pickup, dropoffLocation: other.location)
        #expect(viewModel.view == .sendingRideRequest(NewRideRequest(waypoints: waypoints, option: options[2])))
    }
}
