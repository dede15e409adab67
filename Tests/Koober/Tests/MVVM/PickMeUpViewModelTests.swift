import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct PickMeUpViewModelTests {
    private let model = GatedModel()
    private let map: PickMeUpMapViewModel
    private let picker: RideOptionPickerViewModel
    private let publisher: SignedInViewPublisher
    private let errorMessages = ErrorMessages()

    init() {
        map = PickMeUpMapViewModel(pickupLocation: Sample.sydney)
        picker = RideOptionPickerViewModel(
            rideOptionRepository: model.makeRideOptionRepository(for: Sample.session), errorMessages: errorMessages)
        publisher = SignedInViewPublisher(.pickMeUp(pickupLocation: Sample.sydney))
    }

    private func pickMeUp() -> PickMeUpViewModel {
        let viewModel = PickMeUpViewModel(
            pickupLocation: Sample.sydney, map: map, rideOptionPicker: picker,
            newRideRepository: model.makeNewRideRepository(for: Sample.session), publisher: publisher,
            errorMessages: errorMessages)
        picker.rideOptionDeterminedResponder = viewModel
        return viewModel
    }

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
    private func expected(at place: Place, isLoading: Bool = false) -> State {
        let (view, progress): (PickMeUpView, PickMeUpRequestProgress) =
            switch place {
            case .initial: (.initial, .initial(pickupLocation: Sample.sydney))
            case .pickerOverInitial: (.selectDropoffLocation, .initial(pickupLocation: Sample.sydney))
            case .options: (.selectRideOption, .waypointsDetermined(waypoints: Sample.trip))
            case .pickerOverOptions: (.selectDropoffLocation, .waypointsDetermined(waypoints: Sample.trip))
            case .confirm: (.confirmRequest, .rideRequestReady(rideRequest: Sample.request))
            case .pickerOverConfirm: (.selectDropoffLocation, .rideRequestReady(rideRequest: Sample.request))
            case .sending: (.sendingRideRequest(Sample.request), .rideRequestReady(rideRequest: Sample.request))
            }
        let hasTrip = place != .initial && place != .pickerOverInitial
        return State(
            view: view, progress: progress, dropoff: hasTrip ? Sample.bondi : nil, isLoadingOptions: isLoading,
            options: hasTrip && !isLoading ? Sample.options : [], stage: .pickMeUp(pickupLocation: Sample.sydney))
    }

    private func take(_ step: Step, _ viewModel: PickMeUpViewModel) -> Bool {
        switch step {
        case .showPicker: viewModel.showSelectDropoffLocationView()
        case .cancelPicker: viewModel.cancelDropoffLocationSelection()
        case .dropOff: viewModel.dropOffUser(at: Sample.bondi)
        case .pickUp: viewModel.pickUpUser(in: Sample.options[0])
        case .confirm: viewModel.confirmRide()
        }
    }

    /// Returns a view model at the place, with the options of the trip loaded if there is one.
    private func reaches(_ place: Place) async throws -> PickMeUpViewModel {
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
            try #require(take(step, viewModel))
            guard step == .dropOff else { continue }
            try await model.passes(.loadOptions(Sample.trip))
            try await eventually { !picker.isLoading }
        }
        return viewModel
    }

    @Test(arguments: Place.allCases, Step.allCases)
    func `a legal step leads to its place, and an illegal one changes nothing`(_ place: Place, _ step: Step)
        async throws
    {
        let viewModel = try await reaches(place)
        #expect(state(of: viewModel) == expected(at: place))
        if let next = Self.legal[place]?[step] {
            #expect(take(step, viewModel))
            #expect(state(of: viewModel) == expected(at: next, isLoading: step == .dropOff))
        } else {
            #expect(!take(step, viewModel))
            #expect(state(of: viewModel) == expected(at: place))
        }
    }

    @Test(arguments: Place.allCases)
    func `a request is sent only once the ride is confirmed, and only once`(_ place: Place) async throws {
        let viewModel = try await reaches(place)
        for _ in 1...2 where place == .sending { viewModel.confirmRide() }
        if place == .sending { try await model.calls.isAsked() }
        await turnsPass()
        let requests = model.calls.asked.filter { $0 != .loadOptions(Sample.trip) }
        #expect(requests == (place == .sending ? [.request(Sample.request)] : []))
        withExtendedLifetime(viewModel) {}
    }

    @Test func `a refused choice selects nothing`() async throws {
        let viewModel = try await reaches(.sending)
        #expect(!picker.select(rideOptionID: Sample.options[1].id))
        #expect(picker.selected == nil)
        withExtendedLifetime(viewModel) {}
    }
}
