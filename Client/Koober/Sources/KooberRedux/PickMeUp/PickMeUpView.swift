import KooberKit
import KooberScreens
import PouchEntities

@MainActor
public protocol PickMeUpUserInteractions: AnyObject {
    func goToDropoffLocationPicker()
    func confirmRide()
}

final class ReduxPickMeUpUserInteractions: PickMeUpUserInteractions {
    let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    private let effects: EffectRunner<PickMeUpEffect>

    init(
        state: StatePublisher<PickMeUpState>,
        actionDispatcher: any ActionDispatcher<PickMeUpAction>, locationRepository: any LocationRepository,
        rideOptionRepository: any RideOptionRepository, newRideRepository: any NewRideRepository
    ) {
        self.actionDispatcher = actionDispatcher
        effects = EffectRunner(state.select(\.effects), to: actionDispatcher) { effect, dispatch in
            do throws(ErrorMessage) {
                switch effect {
                case .search(let query, let pickupLocation):
                    let found = try await locationRepository.searchForLocations(using: query, near: pickupLocation)
                    dispatch(.dropoffLocationPicker(.found(found)))
                case .loadRideOptions(let waypoints):
                    dispatch(.rideOptionPicker(.loaded(try await rideOptionRepository.rideOptions(for: waypoints))))
                case .requestRide(let request):
                    dispatch(.newRideRequestSent(try await newRideRepository.request(request)))
                }
            } catch {
                dispatch(.failed(effect, error))
            }
        }
    }

    func goToDropoffLocationPicker() { actionDispatcher.dispatch(.goToDropoffLocationPicker) }

    func confirmRide() { actionDispatcher.dispatch(.rideConfirmed) }
}

// MARK: View

final class PickMeUpView: StateView {
    typealias UserInteractions = PickMeUpUserInteractions & DropoffLocationPickerUserInteractions
        & RideOptionPickerUserInteractions
    private let userInteractions: any UserInteractions

    init(screen: StatePublisher<PickMeUpScreen>, userInteractions: any UserInteractions, in display: any Display) {
        self.userInteractions = userInteractions
        super.init(in: display)
        render(screen) { display.show(.pickMeUp($0)) }
    }

    override func perform(_ intention: Intention) {
        switch intention {
        case .chooseDropoff: userInteractions.goToDropoffLocationPicker()
        case .searchDropoffs(let query): userInteractions.search(using: query)
        case .selectDropoff(let name): userInteractions.selectDropoffLocation(named: name)
        case .cancelDropoff: userInteractions.closeDropoffLocationPicker()
        case .selectRideOption(let id): userInteractions.selectRideOption(id)
        case .confirmRide: userInteractions.confirmRide()
        default: break
        }
    }
}

// MARK: Screen

extension PickMeUpScreen {
    init(_ state: PickMeUpState) {
        self.init(
            pickupLocation: state.pickupLocation, dropoffLocation: state.rideOptionPicker?.dropoffLocation,
            step: Step(state))
    }
}

extension PickMeUpScreen.Step {
    fileprivate init(_ state: PickMeUpState) {
        if let picker = state.dropoffLocationPicker {
            self = .selectDropoffLocation(DropoffPicker(picker, from: state.pickupLocation))
            return
        }
        switch state.step {
        case .initial: self = .initial
        case .selectRideOption(let picker), .requestFailed(let picker, _):
            let options = RideOptionPicker(picker)
            self = picker.selected == nil ? .selectRideOption(options) : .confirmRequest(options)
        case .sendingRideRequest: self = .sendingRideRequest
        }
    }
}
