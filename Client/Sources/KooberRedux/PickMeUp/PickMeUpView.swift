import KooberKit
import KooberScreens
import PouchEntities

@MainActor
struct PickMeUpUserInteractions {
    let pickupLocation: GeoPoint
    let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    let newRideRepository: any NewRideRepository
    private let sending = LatestTask()

    func confirm(_ draft: RideDraft) {
        let waypoints = RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: draft.dropoffLocation.location)
        let ride = NewRideRequest(waypoints: waypoints, option: draft.selected)
        sending.send(to: actionDispatcher) {
            .sendingRideRequest(request: $0)
        } call: { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.request(ride)
        } success: { [actionDispatcher] in
            .newRideRequestSent($0, scope: actionDispatcher.nextSerialNumber(), request: $1)
        } failure: {
            .rideRequestFailed($0, request: $1)
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}

// MARK: View

final class PickMeUpView: StateView {
    private let state: LatestState<PickMeUpState>
    private let userInteractions: PickMeUpUserInteractions
    private let rideOptionPicker: RideOptionPickerUserInteractions
    private let dropoffLocationPickerFactory: any DropoffLocationPickerFactory
    /// The interactions of the open picker, or of the last one.
    private var dropoffLocationPicker: DropoffLocationPickerUserInteractions?

    init(
        state: StatePublisher<PickMeUpState>,
        userInteractions: PickMeUpUserInteractions,
        rideOptionPicker: RideOptionPickerUserInteractions,
        dropoffLocationPickerFactory: any DropoffLocationPickerFactory
    ) {
        self.state = LatestState(state)
        self.userInteractions = userInteractions
        self.rideOptionPicker = rideOptionPicker
        self.dropoffLocationPickerFactory = dropoffLocationPickerFactory
    }

    func perform(_ intention: Intention) {
        switch (intention, state.value?.step) {
        case (.chooseDropoff, _):
            dropoffLocationPicker = dropoffLocationPickerFactory.makeDropoffLocationPickerUserInteractions()
            dropoffLocationPicker?.goToDropoffLocationPicker()
        case (.searchDropoffs(let query), _): dropoffLocationPicker?.search(using: query)
        case (.selectDropoff(let name), .selectDropoffLocation(let picker, _)):
            if let location = picker.results.first(where: { $0.name == name }) {
                dropoffLocationPicker?.select(location)
            }
        case (.cancelDropoff, _), (.goBack, _): dropoffLocationPicker?.close()
        case (.selectRideOption(let id), _): rideOptionPicker.select(id)
        case (.confirmRide, .confirmRequest(let draft)): userInteractions.confirm(draft)
        default: break
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        if case .requestFailed(let draft, let failure) = state.value?.step, failure == error {
            // The prices may have expired.
            rideOptionPicker.loadRideOptions(to: draft.dropoffLocation)
        } else {
            userInteractions.finishedPresenting(error)
        }
    }
}

/// Makes new user interactions for each drop-off picker that is opened.
@MainActor
protocol DropoffLocationPickerFactory {
    func makeDropoffLocationPickerUserInteractions() -> DropoffLocationPickerUserInteractions
}

// MARK: Screen

extension PickMeUpScreen {
    init(_ state: PickMeUpState) {
        self.init(
            pickupLocation: state.pickupLocation, dropoffLocation: state.dropoffLocation, step: Step(state.step))
    }
}

extension PickMeUpScreen.Step {
    fileprivate init(_ step: PickMeUpState.Step) {
        self =
            switch step {
            case .initial: .initial
            case .selectDropoffLocation(let picker, _):
                .selectDropoffLocation(
                    DropoffPicker(query: picker.query, results: picker.results, isSearching: picker.search != nil))
            case .selectRideOption(let picker): .selectRideOption(RideOptionPicker(picker))
            case .confirmRequest(let draft), .requestFailed(let draft, _): .confirmRequest(RideOptionPicker(draft))
            case .sendingRideRequest: .sendingRideRequest
            }
    }
}
