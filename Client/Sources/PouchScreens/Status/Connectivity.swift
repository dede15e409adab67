/// Whether the shop can be reached.
public enum Connectivity: Sendable, Hashable {
    /// Nothing was asked for yet.
    case unknown
    case online
    case offline
}
