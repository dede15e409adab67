extension Reducers {
    /// For all but its end.
    static func pickMeUp(_ state: PickMeUpState, _ action: PickMeUpAction) -> PickMeUpState {
        var state = state
        switch action {
        case .goToDropoffLocationPicker(let request):
            if let underneath = state.step.underneath {
                state.step = .selectDropoffLocation(DropoffLocationPickerState(search: request), over: underneath)
            }
        case .dropoffLocationPicker(let action):
            if case .selectDropoffLocation(let picker, let underneath) = state.step {
                state.step = .selectDropoffLocation(dropoffLocationPicker(picker, action), over: underneath)
            }
        case .closedDropoffLocationPicker:
            if case .selectDropoffLocation(_, let underneath) = state.step { state.step = .init(underneath) }
        case .loadingRideOptions(let dropoffLocation, let request):
            switch state.step {
            case .selectDropoffLocation, .requestFailed:
                state.step = .selectRideOption(
                    RideOptionPickerState(dropoffLocation: dropoffLocation, progress: .loading(request)))
            default: break
            }
        case .rideOptionPicker(let action):
            state.step.updateRideOptionPicker { rideOptionPicker($0, action) }
        case .rideOptionSelected(let id):
            switch state.step {
            case .selectRideOption(let picker):
                if let draft = picker.selecting(id) { state.step = .confirmRequest(draft) }
            case .confirmRequest(let draft): state.step = .confirmRequest(draft.selecting(id))
            default: break
            }
        case .sendingRideRequest(let request):
            if case .confirmRequest(let draft) = state.step {
                state.step = .sendingRideRequest(draft, request: request)
            }
        case .rideRequestFailed(let error, let request):
            if case .sendingRideRequest(let draft, request: request) = state.step {
                state.step = .requestFailed(draft, error)
            }
        case .finishedPresenting(let id):
            if case .selectDropoffLocation(var picker, let underneath) = state.step {
                picker.errors.removeAll { $0.id == id }
                state.step = .selectDropoffLocation(picker, over: underneath)
            }
            state.step.updateRideOptionPicker { rideOptionPicker($0, .finishedPresenting(id)) }
        case .newRideRequestSent: break
        }
        return state
    }
}
