/// Where a ride stands.
public enum RideStatus: String, OpenEnum {
    /// A kangaroo is being looked for.
    case requested
    /// One is on its way to the pick-up.
    case accepted
    /// It is almost there, or waits there.
    case arriving
    case inProgress
    case completed
    case cancelledByRider
    /// The kangaroo gave up before the pick-up. The ride is `requested` again while others may come, else it has ended.
    case cancelledByDriver
    /// Nobody came.
    case noDriversAvailable
    case unrecognised

    /// Whether nothing follows; `cancelledByDriver` counts, since it is only passed through where something does.
    public var isFinal: Bool {
        switch self {
        case .completed, .cancelledByRider, .cancelledByDriver, .noDriversAvailable: true
        case .requested, .accepted, .arriving, .inProgress, .unrecognised: false
        }
    }

    /// Whether the rider may still cancel: until the pick-up.
    public var isCancellable: Bool {
        switch self {
        case .requested, .accepted, .arriving: true
        default: false
        }
    }
}
