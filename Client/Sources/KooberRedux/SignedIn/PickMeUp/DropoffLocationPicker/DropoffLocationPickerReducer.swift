extension Reducers {
    static func dropoffLocationPicker(
        _ state: DropoffLocationPickerState, _ action: DropoffLocationPickerAction
    ) -> DropoffLocationPickerState {
        var state = state
        switch action {
        case .searching(let query, let request):
            state.query = query
            state.search = request
        case .found(let results, state.search):
            state.results = results
            state.search = nil
        case .searchFailed(let error, state.search):
            state.errors.append(error)
            state.search = nil
        case .found, .searchFailed: break
        }
        return state
    }
}
