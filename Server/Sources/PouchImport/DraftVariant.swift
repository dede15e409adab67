import PouchDomain
import PouchFeed

/// A variant that an import writes.
public struct DraftVariant: Sendable {
    public let variant: CatalogEntry.Variant
    public let productId: String
    /// Among the product's variants, from 0.
    public let position: Int
    /// Whether no published revision has it, so that nobody can have bought it yet.
    public let isNew: Bool
}
