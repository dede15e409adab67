import PouchDomain
import PouchFeed

/// An import as it is kept.
public struct ImportRecord: Codable, Sendable, Equatable {
    public let id: String
    public var phase = ImportPhase.receiving
    /// What of the phase was done: the last staged position, SKU or id; empty at its beginning.
    public var cursor = ""
    /// 0 until comparing begins.
    public var revision: Int64 = 0
    /// Promotions that were found so far; nil while the feed has named none.
    public var promotions: Int?
    /// Whether customers will see something of it.
    public var hasChanges = false
    /// Without its errors, which are kept apart.
    public var report: ImportReport

    public init(id: String, isDryRun: Bool) {
        self.id = id
        report = ImportReport(id: id, status: isDryRun ? .dryRun : .published)
    }

    mutating func enter(_ phase: ImportPhase) {
        self.phase = phase
        cursor = ""
    }
}
