import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import Subprocess
import Testing

/// Whatever the phase in which a process dies, others bring the import to its end.
@Suite("Imports whose process dies", .timeLimit(.minutes(5)), .serialized)
struct ImportTakeoverTests {
    @Test(arguments: ["comparing", "stocking", "superseding", "tidying"])
    func `An import that is killed goes on by itself on a server`(phase: String) async throws {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let feed = try ShopFolder.csv(
                folder, "large", products: [("cap", 99)] + (0..<6_000).map { ("new-\($0)", 1) })
            let watcher = try DatabaseAddress(database).connect()
            let status = try await ServerProgram.kill(
                "import", "--format", "shopify-csv", "--database", database, feed,
                when: {
                    try await watcher.read {
                        try !$0.rows("SELECT 1 FROM imports WHERE phase = ?", [.text(phase)]).isEmpty
                    }
                })
            #expect(status == .signaled(9))
            _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                try await eventually(within: .seconds(60)) {
                    try await watcher.read {
                        try $0.rows("SELECT 1 FROM imports WHERE phase <> 'ended'", []).isEmpty
                    }
                }
                let found = try await server.anyone.call(
                    Contract.availability, query: "sku=cap&sku=new-0&sku=new-5999"
                ).good()
                #expect(found.items.map(\.available) == [99, 1, 1])
            }
            let counts = try await watcher.read { connection in
                try ["products", "variants", "stock", "import_records", "import_products"].map {
                    try connection.row("SELECT COUNT(*) FROM \($0)", [])?.int(0)
                }
            }
            #expect(counts == [6_001, 6_001, 6_001, 0, 0])
            try await watcher.close()
        }
    }

    @Test func `A checkout that begins while an import compares is done before the import is`() async throws {
        try await TestShop.open { shop in
            let products = (0..<3_000).map { FeedProduct.stocked("thing-\($0)") }
            async let report = shop.stock(products)
            try await eventually {
                try await shop.store.read { repositories in
                    guard let id = try repositories.imports.unfinished() else { return false }
                    return try repositories.imports.record(id: id)?.phase == .comparing
                }
            }
            let order = try await shop.guest().buyNow("cap", 1, total: 1490)
            #expect(order.status == 201)
            let unfinished = try await shop.store.read { try $0.imports.unfinished() }
            #expect(unfinished != nil)
            #expect(try await report.created == 3_000)
        }
    }

    @Test func `What an import of a dead process holds is taken over by the next import`() async throws {
        try await TestShop.open(configure: { $0.importInterval = .seconds(3600) }) { shop in
            let service = ImportService(shop.environment, store: shop.store)
            let id = try await service.receive(ListedFeed([.stocked("first")]))
            let now = shop.clock.now
            let isTaken = try await shop.store.write {
                try $0.imports.takeLease(of: id, for: "dead", until: now.addingTimeInterval(5), at: now)
            }
            #expect(isTaken)
            async let second = shop.stock([.stocked("second")])
            shop.clock.advance(by: 6)
            #expect(try await second.created == 1)
            #expect(try await service.report(id: id)?.status == .published)
            #expect(try await shop.available("first") == 10)
        }
    }
}
