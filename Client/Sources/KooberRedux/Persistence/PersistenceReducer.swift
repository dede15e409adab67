import PouchEntities

extension Reducers {
    /// Only those whom it concerns are told: whoever is signed in now, or somebody who has just signed out.
    static func persistence(_ state: AppState, _ action: PersistenceAction) -> AppState {
        switch (state, action) {
        case (.signedIn(var state), .saveFailed(let error, let id)) where state.userSession.id == id:
            state.errors.append(error)
            return .signedIn(state)
        case (.onboarding(var state), .deleteFailed(let error)):
            state.errors.append(error)
            return .onboarding(state)
        default:
            return state
        }
    }
}
