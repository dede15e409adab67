import Benchmarking
import Foundation
import PouchAsyncHTTPClient
import PouchClient
import PouchData
import PouchJSON
import PouchPersistence
import PouchService

/// Measures the import of a whole catalogue into the local store, and its two largest steps alone, which overlap in an
/// import.
struct CatalogImport {
    static let rounds = 5

    let server: URL

    func show() async throws {
        say(
            "\nImport of \(ConstantServer.products) products in pages of \(ConstantServer.pageSize), "
                + "seconds (median of \(Self.rounds))\n")
        sayRow("", 20, ["whole", "decoding", "storing", "products/s"], 12)
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
            figures.append(
                try await withTemporaryFolder { folder in
                    let service = APIWrapper(
                        server: server, transport: transport, sessionStore: MemorySessionStore())
                    let imported = try await makeStore(folder.appending(path: "imported.sqlite"))
                    let catalog = CatalogManager(data: DataManager(service: service, store: imported))
                    let whole = try await seconds { try await catalog.refresh() }

                    var pages: [[Product]] = []
                    let decoding = try await seconds {
                        pages = try bodies.map { try ProductPage(json: $0).items }
                    }
                    let store = try await makeStore(folder.appending(path: "store.sqlite"))
                    let storing = try await seconds {
                        let draft = try await store.beginImport()
                        for page in pages { try await store.add(page, to: draft) }
                        try await store.publish(draft, CatalogOutline(), at: Date())
                    }
                    return [whole, decoding, storing]
                })
        }
        let medians = (0..<3).map { column in figures.map { $0[column] }.median }
        let perSecond = String(Int(Double(ConstantServer.products) / medians[0]))
        sayRow(name, 20, medians.map { String(format: "%.2f", $0) } + [perSecond], 12)
    }

    private func seconds(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await work()
        return start.elapsedSeconds
    }
}
