extension Reducers {
    static func form(_ state: FormState, _ action: FormAction) -> FormState {
        var state = state
        switch (state.progress, action) {
        case (.idle, .incomplete(let error)): state.errors.append(error)
        case (.idle, .sending(let request)): state.progress = .sending(request)
        case (.sending(let request), .failed(let error, let answered)) where request == answered:
            state.progress = .idle
            state.errors.append(error)
        default: break
        }
        return state
    }
}
