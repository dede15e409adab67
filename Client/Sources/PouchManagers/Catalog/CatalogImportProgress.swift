/// How far an import of the catalogue has come.
public struct CatalogImportProgress: Sendable, Equatable {
    /// Products that are in the store so far; nobody sees them before the import has ended.
    public let products: Int
    /// As many as the shop says that there are.
    public let total: Int

    public init(products: Int, total: Int) {
        self.products = products
        self.total = total
    }
}
