import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct PickMeUpViewModelTests {
    private let trip = SampleTrip()
    private let map: PickMeUpMapViewModel
    private let picker: RideOptionPickerViewModel
    private let publisher: SignedInViewPublisher
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    init() {
        map = PickMeUpMapViewModel(pickupLocation: trip.pickup)
        picker = RideOptionPickerViewModel(
            rideOptionRepository: trip.world.makeRideOptionRepository(for: trip.session), errorMessages: errorMessages)
        publisher = SignedInViewPublisher(.pickMeUp(pickupLocation: trip.pickup))
    }

    private func pickMeUp() -> PickMeUpViewModel {
        let viewModel = PickMeUpViewModel(
            pickupLocation: trip.pickup, map: map, rideOptionPicker: picker,
            newRideRepository: trip.world.makeNewRideRepository(for: trip.session), publisher: publisher,
            errorMessages: errorMessages)
        picker.rideOptionDeterminedResponder = viewModel
        return viewModel
    }

    // MARK: Steps

    enum Place: CaseIterable {
        case initial, pickerOverInitial, options, pickerOverOptions, confirm, pickerOverConfirm, sending
    }

    enum Step: CaseIterable {
        case showPicker, cancelPicker, dropOff, pickUp, confirm
    }

    /// The result of each legal step. All others are illegal.
    private static let legal: [Place: [Step: Place]] = [
        .initial: [.showPicker: .pickerOverInitial], .pickerOverInitial: [.cancelPicker: .initial, .dropOff: .options],
        .options: [.showPicker: .pickerOverOptions, .pickUp: .confirm],
        .pickerOverOptions: [.cancelPicker: .options, .dropOff: .options, .pickUp: .pickerOverConfirm],
        .confirm: [.showPicker: .pickerOverConfirm, .pickUp: .confirm, .confirm: .sending],
        .pickerOverConfirm: [.cancelPicker: .confirm, .dropOff: .options, .pickUp: .pickerOverConfirm], .sending: [:],
    ]

    /// Everything that a step could change.
    private struct State: Equatable {
        let view: PickMeUpView
        let progress: PickMeUpRequestProgress
        let dropoff: NamedLocation?
        let isLoadingOptions: Bool
        let options: [PricedRideOption]
        var stage: SignedInView?
        var errors: [ErrorMessage] = []
    }

    private func state(of viewModel: PickMeUpViewModel) -> State {
        State(
            view: viewModel.view, progress: viewModel.progress, dropoff: map.dropoffLocation,
            isLoadingOptions: picker.isLoading, options: picker.options, stage: publisher.view,
            errors: errorMessages.pending)
    }

    /// - Parameter isLoading: whether the options are on their way, as just after a step.
    private func expected(at place: Place, _ options: [PricedRideOption], isLoading: Bool = false) -> State {
        let request = NewRideRequest(waypoints: trip.waypoints, option: options[0])
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
            view: view, progress: progress, dropoff: hasTrip ? trip.dropoff : nil, isLoadingOptions: isLoading,
            options: hasTrip && !isLoading ? options : [], stage: .pickMeUp(pickupLocation: trip.pickup))
    }

    private func take(_ step: Step, _ option: PricedRideOption, _ viewModel: PickMeUpViewModel) -> Bool {
        switch step {
        case .showPicker: viewModel.showSelectDropoffLocationView()
        case .cancelPicker: viewModel.cancelDropoffLocationSelection()
        case .dropOff: viewModel.dropOffUser(at: trip.dropoff)
        case .pickUp: viewModel.pickUpUser(in: option)
        case .confirm: viewModel.confirmRide()
        }
    }

    /// Returns a view model at the place, with the options of the trip loaded if there is one.
    private func reaches(_ place: Place, _ options: [PricedRideOption]) async throws -> PickMeUpViewModel {
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
        let viewModel = pickMeUp()
        for step in steps {
            try #require(take(step, options[0], viewModel))
            guard step == .dropOff else { continue }
            try await world.rideOptions.passes { [waypoints = trip.waypoints] in $0 == waypoints }
            try await eventually { !picker.isLoading }
        }
        return viewModel
    }

    @Test(arguments: Place.allCases, Step.allCases)
    func `a legal step leads to its place, and an illegal one changes nothing`(_ place: Place, _ step: Step)
        async throws
    {
        let options = await trip.options()
        let viewModel = try await reaches(place, options)
        #expect(state(of: viewModel) == expected(at: place, options))
        if let next = Self.legal[place]?[step] {
            #expect(take(step, options[0], viewModel))
            #expect(state(of: viewModel) == expected(at: next, options, isLoading: step == .dropOff))
        } else {
            #expect(!take(step, options[0], viewModel))
            #expect(state(of: viewModel) == expected(at: place, options))
        }
    }

    @Test(arguments: Place.allCases)
    func `a request is sent only once the ride is confirmed, and only once`(_ place: Place) async throws {
        let viewModel = try await reaches(place, await trip.options())
        for _ in 1...2 where place == .sending { viewModel.confirmRide() }
        if place == .sending { try await world.request.isAsked() }
        await turnsPass()
        #expect(world.request.asked.count == (place == .sending ? 1 : 0))
        withExtendedLifetime(viewModel) {}
    }

    @Test func `a refused choice selects nothing`() async throws {
        let options = await trip.options()
        let viewModel = try await reaches(.sending, options)
        #expect(!picker.select(rideOptionID: options[1].id))
        #expect(picker.selected == nil)
        withExtendedLifetime(viewModel) {}
    }
}
