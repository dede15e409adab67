import ClientTesting
import Foundation
import GRDB
import PouchData
import PouchEntities
import PouchPersistence
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SQLiteStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var file: URL { folder.file("deep/store.sqlite") }
    private var parent: URL { folder.file("deep") }

    private func mode(_ url: URL) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue
    }

    private func write(_ key: String, kind: PendingWrite.Kind = .addCartLine, body: String = "{}") -> PendingWrite {
        PendingWrite(key: key, owner: "acc_1", kind: kind, body: Data(body.utf8), createdAt: Date.sample)
    }

    private func draft(_ store: SQLiteStore, _ products: [Product]) async throws -> CatalogDraft {
        let draft = try await store.beginImport()
        try await store.add(products, to: draft)
        return draft
    }

    @Test func `a later process reads what was stored, in files that only the user can read`() async throws {
        let cart = Dated(Fixture.cart(version: 3), asOf: Date.sample)
        let first = try await SQLiteStore.open(at: file)
        #expect(first.setAside == nil)
        let catalog = try await draft(first, [Fixture.product("a")])
        try await first.publish(catalog, CatalogTaxonomy(seasons: [Season(id: "71", name: "Spring")]), at: Date.sample)
        try await first.save(cart, of: "acc_1")
        try await first.save([Fixture.order()], of: "acc_1")
        try await first.add(write("k"))
        for suffix in ["", "-wal", "-shm"] { #expect(try mode(folder.file("deep/store.sqlite\(suffix)")) == 0o600) }
        #expect(try mode(parent) == 0o700)
        try await first.close()
        let second = try await SQLiteStore.open(at: file)
        #expect(second.setAside == nil)
        #expect(try await second.product(handle: "a") == Fixture.product("a"))
        #expect(try await second.seasons().map(\.id) == ["71"])
        #expect(try await second.catalogPublishedAt() == Date.sample)
        #expect(try await second.cart(of: "acc_1") == cart)
        #expect(try await second.order(id: "ord_1", of: "acc_1") == Fixture.order())
        #expect(try await second.pendingWrites(of: "acc_1") == [write("k")])
    }

    @Test func `an unpublished import of an earlier process leaves nothing`() async throws {
        let first = try await SQLiteStore.open(at: file)
        let lost = try await draft(first, [Fixture.product("lost")])
        try await first.close()
        let second = try await SQLiteStore.open(at: file)
        await #expect(throws: StoreError.self) { try await second.publish(lost, CatalogTaxonomy(), at: Date.sample) }
        #expect(try await second.product(handle: "lost") == nil)
        #expect(try await second.products(ProductQuery(search: "lost")).items.isEmpty)
    }

    @Test(arguments: [
        "this is no database, and longer than a header of SQLite would be", "SQLite format 3\u{0}rubbish",
    ])
    func `a file that is not a database is set aside, and the store starts empty`(_ content: String) async throws {
        let bytes = Data(content.utf8) + Data(repeating: 7, count: 5000)
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try bytes.write(to: file)
        let store = try await SQLiteStore.open(at: file, now: Date.sample)
        let setAside = try #require(store.setAside)
        guard case .damaged = setAside.reason else { throw CocoaError(.coderInvalidValue) }
        #expect(try Data(contentsOf: setAside.movedTo) == bytes)
        #expect(setAside.movedTo.path == parent.path + "/store.sqlite.set-aside-1800000000")
        #expect(try mode(setAside.movedTo) == 0o600)
        try await store.merge([Fixture.product("a")])
        try await store.close()
        let again = try await SQLiteStore.open(at: file)
        #expect(again.setAside == nil)
        #expect(try await again.product(handle: "a") != nil)
    }

    @Test func `a database with damaged pages is set aside`() async throws {
        let first = try await SQLiteStore.open(at: file)
        try await first.merge((0..<300).map { Fixture.product("p\($0)") })
        try await first.close()
        var bytes = try Data(contentsOf: file)
        for page in stride(from: 4096, to: bytes.count - 4096, by: 4096) {
            bytes.replaceSubrange(page..<(page + 512), with: Data(repeating: 0xAB, count: 512))
        }
        try bytes.write(to: file)
        let store = try await SQLiteStore.open(at: file, now: Date.sample)
        guard case .damaged(let log)? = store.setAside?.reason else { throw CocoaError(.coderInvalidValue) }
        #expect(!log.isEmpty)
        #expect(try await store.products(ProductQuery()).items.isEmpty)
    }

    @Test func `another program's database is set aside, and only the latest such file is kept`() async throws {
        for moment in [0.0, 60] {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try OtherDatabase.run("CREATE TABLE diary (day TEXT)", at: file)
            let bytes = try Data(contentsOf: file)
            let store = try await SQLiteStore.open(at: file, now: Date.sample.addingTimeInterval(moment))
            let setAside = try #require(store.setAside)
            #expect(setAside.reason == .foreign)
            #expect(try Data(contentsOf: setAside.movedTo) == bytes)
            try await store.close()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: parent.path)
        #expect(names.filter { $0.contains("set-aside") } == ["store.sqlite.set-aside-1800000060"])
    }

    @Test func `a file of an unreleased version becomes empty, and can be used`() async throws {
        let first = try await SQLiteStore.open(at: file)
        try await first.save(Dated<Cart>(Fixture.cart(), asOf: Date.sample), of: "acc_1")
        try await first.add(write("k"))
        let product = Product.sample(handle: "lily", options: ["Colour": ["Navy", "Red"], "Size": ["S", "M"]])
        try await first.merge([product])
        let query = ProductQuery(options: ["colour": ["red"]], inStock: true, facets: true)
        let facets = try #require(try await first.products(query).facets)
        #expect(facets.map(\.name).contains("option.Size"))
        try await first.close()
        try OtherDatabase.run(
            """
            ALTER TABLE pendingWrite DROP COLUMN attempts; ALTER TABLE cart DROP COLUMN asOf;
            ALTER TABLE product DROP COLUMN currency; ALTER TABLE product DROP COLUMN variants; DROP TABLE productSKU;
            CREATE TABLE variant (number INTEGER PRIMARY KEY);
            UPDATE grdb_migrations SET identifier = '1: catalogue, purchases, pending writes'
            """, at: file)
        let second = try await SQLiteStore.open(at: file)
        #expect(second.setAside == nil)
        #expect(try await second.products(ProductQuery()).items.isEmpty)
        #expect(try await second.cart(of: "acc_1") == nil)
        #expect(try await second.pendingWrites(of: "acc_1").isEmpty)

        try await second.merge([product])
        try await second.save(Dated<Cart>(Fixture.cart(), asOf: Date.sample), of: "acc_1")
        let sent = write("sent", kind: .checkout).attempted(at: Date.sample)
        try await second.add(sent)
        try await second.close()
        let third = try await SQLiteStore.open(at: file)
        #expect(try await third.products(ProductQuery(minPrice: Money(10_00, .eur))).items == [product])
        #expect(try await third.products(query).facets == facets)
        #expect(try await third.products(query).items == [product])
        #expect(try await third.products(ProductQuery(options: ["colour": ["green"]])).items.isEmpty)
        #expect(try await third.product(sku: "lily-3") == product)
        #expect(try await third.cart(of: "acc_1") == Dated<Cart>(Fixture.cart(), asOf: Date.sample))
        #expect(try await third.pendingWrites(of: "acc_1") == [sent])
        #expect(try await third.beginAttempt(key: "sent", of: "acc_1", at: Date.sample)?.attempts == 2)
    }

    @Test func `a file of a later version is left unchanged`() async throws {
        let first = try await SQLiteStore.open(at: file)
        try await first.add(write("k"))
        try await first.close()
        try OtherDatabase.run("INSERT INTO grdb_migrations (identifier) VALUES ('9: of the future')", at: file)
        let error = await #expect(throws: StoreError.self) { _ = try await SQLiteStore.open(at: file) }
        #expect(error?.reason == .newerVersion)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a location where no file can be is an error`() async throws {
        let error = await #expect(throws: StoreError.self) {
            _ = try await SQLiteStore.open(at: URL(fileURLWithPath: "/dev/null/store.sqlite"))
        }
        #expect(error?.reason == .unavailable)
    }

    @Test func `a payment token is in none of the files once its purchase is settled`() async throws {
        let store = try await SQLiteStore.open(at: file)
        func holdsToken() throws -> Bool {
            ["", "-wal"].contains { suffix in
                let url = URL(fileURLWithPath: file.path + suffix)
                return (try? Data(contentsOf: url))?.range(of: Data("tok_secret".utf8)) != nil
            }
        }
        try await store.add(write("k", kind: .checkout, body: "tok_secret"))
        #expect(try holdsToken())
        try await store.removeWrite(key: "k", of: "acc_1")
        #expect(try !holdsToken())
    }

    @Test func `a call of a cancelled task completes`() async throws {
        let store = try await SQLiteStore.open(at: file)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.add(write("k"))
            return try await store.pendingWrites(of: "acc_1").count
        }
        #expect(try await task.value == 1)
    }

    @Test func `processes that create the file at the same time all open it`() async throws {
        for round in 0..<10 {
            let file = folder.file("round \(round)/store.sqlite")
            let isNew = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let store = try await SQLiteStore.open(at: file)
                        let isNew = store.setAside == nil
                        try await store.close()
                        return isNew
                    }
                }
                return try await group.reduce(true) { $0 && $1 }
            }
            #expect(isNew)
        }
    }

    @Test func `a file that another process has locked before it is in WAL mode is opened afterwards`() async throws {
        let file = folder.file("store.sqlite")
        let other = try DatabaseQueue(path: file.path)
        let (locked, lock) = AsyncStream<Never>.makeStream()
        other.asyncWriteWithoutTransaction { database in
            try? database.inTransaction(.immediate) {
                lock.finish()
                // Until the store was refused the lock.
                Thread.sleep(forTimeInterval: 0.2)
                return .commit
            }
        }
        for await _ in locked {}
        let store = try await SQLiteStore.open(at: file)
        #expect(store.setAside == nil)
        try await store.close()
    }

    @Test func `a catalogue is published even if the earlier one cannot be removed`() async throws {
        let store = try await SQLiteStore.open(at: file)
        try await store.publish(try await draft(store, [Fixture.product("old")]), CatalogTaxonomy(), at: Date.sample)
        let new = try await draft(store, [Fixture.product("new")])
        try OtherDatabase.run(
            "CREATE TRIGGER keep BEFORE DELETE ON product BEGIN SELECT RAISE(ABORT, 'kept'); END", at: file)
        try await store.publish(new, CatalogTaxonomy(), at: Date.sample)
        #expect(try await store.products(ProductQuery()).items.map(\.handle) == ["new"])
    }

    @Test func `two processes may share the file`() async throws {
        let first = try await SQLiteStore.open(at: file)
        let second = try await SQLiteStore.open(at: file)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let write = write("k\(number)")
                group.addTask { try await (number.isMultiple(of: 2) ? first : second).add(write) }
            }
            try await group.waitForAll()
        }
        #expect(try await first.pendingWrites(of: "acc_1").count == 40)
    }
}

/// An SQLite file that another program changes.
enum OtherDatabase {
    static func run(_ sql: String, at file: URL) throws {
        let database = try DatabaseQueue(path: file.path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }
}
