extension Reducers {
    static func gettingUserLocation(
        _ state: GettingUserLocationState, _ action: GettingUserLocationAction
    ) -> GettingUserLocationState {
        var state = state
        switch (state.progress, action) {
        case (.lookingForActiveRide, .foundNoActiveRide), (.lookingForActiveRide, .activeRideUnknown):
            state.progress = .locating
        case (.locating, .failed(let error)): state.progress = .failed(error)
        case (.failed(let error), .finishedPresenting(let id)) where error.id == id: state.progress = .locating
        default: break
        }
        return state
    }
}
