import PouchEntities
import PouchWire

extension Contract {
    /// The body is a feed, which is streamed. It answers when the whole of it has been received; what comes of it is found
    /// with `catalogImport`.
    public static let importCatalog = Exchange<RawBytes, CatalogImport>(
        .importCatalog, status: 202, query: ImportQuery.self, problems: [.invalidFeed])
    public static let catalogImport = Exchange<NoBody, CatalogImport>(.catalogImport)

    static let imports: [any AnyExchange] = [importCatalog, catalogImport]
}
