import PouchEntities

/// From the request of a ride to the next one.
public struct WaitingForPickupState: Equatable, Sendable {
    /// A ride that was lost is followed again once the error was read.
    public enum Following: Equatable, Sendable {
        case following
        case lost(ErrorToPresent)
    }

    public let scope: SerialNumber
    public private(set) var ride: Ride
    public internal(set) var following = Following.following
    /// nil for a ride that has ended.
    public private(set) var cancellation: SerialNumber?
    public internal(set) var errors: [ErrorToPresent] = []

    init(scope: SerialNumber, ride: Ride) {
        self.scope = scope
        self.ride = ride
    }

    /// What comes after its end was on its way before.
    mutating func update(_ ride: Ride) {
        guard !self.ride.status.isFinal else { return }
        self.ride = ride
        if ride.status.isFinal { cancellation = nil }
    }

    mutating func lose(_ error: ErrorToPresent) {
        guard following == .following, !ride.status.isFinal else { return }
        following = .lost(error)
    }

    mutating func beginCancellation(_ request: SerialNumber) {
        guard cancellation == nil, ride.status.isCancellable else { return }
        cancellation = request
    }

    mutating func endCancellation() {
        cancellation = nil
    }

    var errorsToPresent: [ErrorToPresent] {
        switch following {
        case .following: errors
        case .lost(let error): errors + [error]
        }
    }
}
