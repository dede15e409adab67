/// Until it is known from where the user wants to go, or that somebody is on the way already.
public struct GettingUserLocationState: Equatable, Sendable {
    /// First whether there is a ride, then from where one could begin.
    public enum Progress: Equatable, Sendable {
        case lookingForActiveRide
        case locating
        case failed(ErrorToPresent)
    }

    public let scope: SerialNumber
    public internal(set) var progress = Progress.lookingForActiveRide

    init(scope: SerialNumber) {
        self.scope = scope
    }

    var errorsToPresent: [ErrorToPresent] {
        switch progress {
        case .lookingForActiveRide, .locating: []
        case .failed(let error): [error]
        }
    }
}
