import PouchEntities

/// What lies under the profile.
enum SignedInContent: Equatable, Sendable {
    case gettingUserLocation(scope: SerialNumber)
    case pickMeUp(scope: SerialNumber, pickupLocation: GeoPoint)
    case waitingForPickup(scope: SerialNumber)
}

extension SignedInState {
    var content: SignedInContent {
        switch step {
        case .gettingUserLocation(let state): .gettingUserLocation(scope: state.scope)
        case .pickMeUp(let state): .pickMeUp(scope: state.scope, pickupLocation: state.pickupLocation)
        case .waitingForPickup(let state): .waitingForPickup(scope: state.scope)
        }
    }
}
