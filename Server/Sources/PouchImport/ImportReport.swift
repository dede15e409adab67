import PouchDomain
import PouchFeed

/// What an import did, or in a dry run would have done.
public struct ImportReport: Codable, Sendable, Equatable {
    public enum Status: String, Codable, Sendable {
        case running
        case published
        case failed
        case dryRun
    }

    /// The most errors that are kept; all are counted.
    public static let errorLimit = 1_000

    public let id: String
    public var status: Status
    /// Rows of the feed, good and bad.
    public var rows = 0
    /// Products that are new.
    public var created = 0
    /// Products of which something differs from the catalogue.
    public var updated = 0
    /// Products that the feed names.
    public var products = 0
    /// Variants that the feed names; one that it names twice counts twice.
    public var variants = 0
    /// Errors in all.
    public var failed = 0
    /// In the order of the feed's lines.
    public var errors: [FeedRowError] = []

    public var unchanged: Int { products - created - updated }

    init(id: String, status: Status) {
        self.id = id
        self.status = status
    }
}
