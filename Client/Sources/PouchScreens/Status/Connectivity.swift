/// Whether the shop can be reached.
public enum Connectivity: Sendable, Hashable {
    /// There is nothing to ask yet, as before the managers are there.
    case unknown
    case online
    case offline
}
