import PouchDomain
import PouchFeed

/// Where an import stands. Each phase goes on in short transactions that note how far it has come, so that any process
/// can take it over.
public enum ImportPhase: String, Codable, Sendable {
    /// The feed is read and its records are staged; what dies here is given up.
    case receiving
    /// The records are compared with the catalogue; what differs is written as a revision that nobody sees.
    case comparing
    /// The staged files are taken over.
    case filing
    /// The revision becomes visible, in one transaction.
    case publishing
    /// The figures of stock that differ are set.
    case stocking
    /// The rows that the revision replaced are removed.
    case superseding
    /// The revision is removed, after a dry run or a failure.
    case withdrawing
    /// What was staged is removed.
    case tidying
    case ended
}
