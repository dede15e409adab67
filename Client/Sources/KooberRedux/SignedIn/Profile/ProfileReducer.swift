extension Reducers {
    static func profile(_ state: ProfileState, _ action: ProfileAction) -> ProfileState {
        switch (state, action) {
        case (.closed, .show): .shown
        case (.shown, .close): .closed
        case (.shown, .signingOut(let request)): .signingOut(request)
        default: state
        }
    }
}
