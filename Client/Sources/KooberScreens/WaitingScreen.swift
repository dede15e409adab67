import PouchEntities

/// A ride that was asked for, until the next one is begun.
public struct WaitingScreen: Hashable, Sendable {
    public var ride: Ride
    public var isCancelling: Bool

    public init(ride: Ride, isCancelling: Bool = false) {
        self.ride = ride
        self.isCancelling = isCancelling
    }
}
