import Benchmarking
import PouchAsyncHTTPClient
import PouchClient
import PouchData
import PouchJSON
import PouchPersistence
import PouchService

/// Measures the import of a whole catalogue into the local store, its two largest steps alone, which overlap in an
/// import, and reading the first page of the list from the store, with its facets.
struct CatalogImport {
    static let rounds = 5

    let server: URL

    func show() async throws {
        let (products, size) = (ConstantServer.products, ConstantServer.pageSize)
        say("\nImport of \(products) products in pages of \(size), seconds (median of \(Self.rounds))\n")
        sayRow("", 20, ["whole", "decoding", "storing", "products/s", "a page, ms"], 12)
        try await show("in memory") { _ in MemoryStore() }
        try await show("SQLite") { file in try await SQLiteStore.open(at: file) }
    }

    private func show(_ name: String, _ makeStore: @Sendable (URL) async throws -> any LocalStore) async throws {
        let transport = try AsyncHTTPClientTransport()
        let bodies = try stride(from: 0, to: ConstantServer.products, by: ConstantServer.pageSize).map { start in
            try SampleProducts.page(start..<start + ConstantServer.pageSize).json()
        }
        var figures: [[Double]] = []
        for _ in 0..<Self.rounds {
            let times: [Double] = try await withTemporaryFolder { folder in
                let service = APIWrapper(server: server, transport: transport, sessionStore: MemorySessionStore())
                let imported = try await makeStore(folder.appending(path: "imported.sqlite"))
                let catalog = CatalogManager(data: DataManager(service: service, store: imported))
                let whole = try await seconds { try await catalog.refresh() }

                var pages: [[Product]] = []
                let decoding = try await seconds { pages = try bodies.map { try ProductPage(json: $0).items } }
                let store = try await makeStore(folder.appending(path: "store.sqlite"))
                let storing = try await seconds {
                    let draft = try await store.beginImport()
                    for page in pages { try await store.add(page, to: draft) }
                    try await store.publish(draft, CatalogTaxonomy(), at: Date())
                }
                let reading = try await seconds { _ = try await store.products(ProductQuery(facets: true)) }
                return [whole, decoding, storing, reading]
            }
            figures.append(times)
        }
        let medians = (0..<4).map { column in figures.map { $0[column] }.median }
        let perSecond = String(Int(Double(ConstantServer.products) / medians[0]))
        let page = (medians[3] * 1_000).text(1)
        sayRow(name, 20, medians[..<3].map { $0.text(2) } + [perSecond, page], 12)
    }

    private func seconds(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await work()
        return start.elapsedSeconds
    }
}
