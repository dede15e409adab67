import PouchEntities
import PouchWire

extension Contract {
    /// Takes `format`, a `FeedFormat`, and `dryRun` in the query. It answers when the whole feed has been received; what
    /// comes of it is found with `catalogImport`.
    public static let importCatalog = Exchange<FeedBody, CatalogImport>(.importCatalog, status: 202)
    public static let catalogImport = Exchange<NoBody, CatalogImport>(.catalogImport)

    static let imports: [any AnyExchange] = [importCatalog, catalogImport]
}
