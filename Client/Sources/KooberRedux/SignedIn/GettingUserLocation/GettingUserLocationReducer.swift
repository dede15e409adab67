extension Reducers {
    static func gettingUserLocation(
        _ state: GettingUserLocationState, _ action: GettingUserLocationAction
    ) -> GettingUserLocationState {
        var state = state
        switch (state.progress, action) {
        case (.lookingForActiveRide, .foundNoActiveRide): state.progress = .locating
        case (.lookingForActiveRide, .failed(let error)), (.locating, .failed(let error)):
            state.progress = .failed(error)
        case (.failed(let error), .finishedPresenting(let id)) where error.id == id:
            state.progress = .lookingForActiveRide
        default: break
        }
        return state
    }
}
