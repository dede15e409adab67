/// Whether the shop's server answers.
public enum Connection: Sendable, Hashable {
    /// It answered last, or was not asked yet.
    case online
    /// It could not be reached, or what stands before it said that it is away.
    case offline
}
