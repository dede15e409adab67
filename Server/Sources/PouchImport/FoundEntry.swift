import PouchDomain
import PouchFeed

/// A product as an import finds it: its latest revision, published or the import's own.
public struct FoundEntry: Sendable {
    public let entry: CatalogEntry
    public let revision: Int64
    /// Variants that only the import's own revision has.
    public let unpublishedSKUs: Set<String>

    public init(entry: CatalogEntry, revision: Int64, unpublishedSKUs: Set<String>) {
        self.entry = entry
        self.revision = revision
        self.unpublishedSKUs = unpublishedSKUs
    }
}
