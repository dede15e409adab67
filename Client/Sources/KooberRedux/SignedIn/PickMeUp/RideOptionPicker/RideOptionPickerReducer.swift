extension Reducers {
    static func rideOptionPicker(
        _ state: RideOptionPickerState, _ action: RideOptionPickerAction
    ) -> RideOptionPickerState {
        var state = state
        switch (state.progress, action) {
        case (.loading(let request), .loaded(let options, let answered)) where request == answered:
            state.progress = .offered(options)
        case (.loading(let request), .loadingFailed(let error, let answered)) where request == answered:
            state.progress = .failed(error)
        case (.failed(let error), .finishedPresenting(let id)) where error.id == id:
            state.progress = .offered([])
        default: break
        }
        return state
    }
}
