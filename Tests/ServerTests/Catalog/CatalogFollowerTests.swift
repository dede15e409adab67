import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain

/// A catalogue that follows the shop's database, in the hands of a test.
@Suite(
    "Following the catalogue", .timeLimit(.minutes(5)),
    .inShop(configure: { $0.instrument = { RecordingDatabase($0) } }))
struct CatalogFollowerTests {
    private let shop = TestShop.current
    private let store: GatedStore
    private let catalog: CatalogFollower

    init() async throws {
        store = GatedStore(shop.store)
        catalog = try await CatalogFollower(store: store, time: shop.clock, timeout: .zero)
    }

    // MARK: Waiting

    @Test func `Readers get the last snapshot at once while the store does not answer`() async throws {
        try await shop.edit("cap", 1_200)
        store.close()
        for _ in 0..<50 {
            shop.clock.advance(by: 10)
            catalog.refreshIfDue()
            let prices = try await parallel(20) { _ in
                guard catalog.ready != nil else { return nil as Int64? }
                return try await catalog.price()
            }
            #expect(prices == Array(repeating: 1_000, count: 20))
        }
        store.open()
        try await eventually { try await catalog.price() == 1_200 }
    }

    @Test func `A reader after a pause of the process waits for a check, no longer than its timeout`() async throws {
        let patient = try await CatalogFollower(store: store, time: shop.clock, timeout: .seconds(30))
        let hasty = try await CatalogFollower(store: store, time: shop.clock, timeout: .milliseconds(20))
        try await shop.edit("cap", 1_200)
        shop.clock.advance(by: 1)
        #expect(patient.ready == nil)
        #expect(try await patient.price() == 1_200)
        store.close()
        #expect(try await hasty.price() == 1_000)
        store.open()
    }

    @Test func `Without the store the last snapshot stays in use, and the follower reports its age`() async throws {
        let catalog = try await CatalogFollower(store: store, time: shop.clock, timeout: .seconds(30))
        store.fail()
        shop.clock.advance(by: 60)
        #expect(try await catalog.price() == 1_000)
        try await eventually { catalog.refreshIfDue().failure is UnavailableError }
        #expect(catalog.refreshIfDue().age == 60)
        try await shop.edit("cap", 1_200)
        store.open()
        try await eventually {
            let (age, failure) = catalog.refreshIfDue()
            return age == 0 && failure == nil
        }
        #expect(try await catalog.price() == 1_200)
    }

    @Test func `A server reads an announced change at once, without a reader`() async throws {
        let serial = try await shop.services.catalog.current().serial
        // The clock stands still, so that no check is due by itself.
        try await shop.edit("cap", 1_200)
        try await eventually { try await shop.services.catalog.price() == 1_200 }
        #expect(try await shop.services.catalog.current().serial > serial)
    }

    // MARK: Boundaries

    @Test func `A scheduled price begins without any access to the store`() async throws {
        try await shop.scheduleCap()
        try await catalog.confirm()
        store.fail()
        shop.clock.advance(by: 59.999)
        #expect(try await catalog.price() == 1_000)
        shop.clock.advance(by: 0.001)
        let reads = store.reads
        let cap = catalog.ready?.product(handle: "cap")
        #expect(cap?.price.amount == 500 && cap?.compareAtPrice?.amount == 1_000)
        #expect(store.reads <= reads + 1, "Only the check that the reader began.")
        // Its end could not be prepared: no reader gets the expired price.
        shop.clock.advance(by: 60)
        #expect(catalog.ready == nil)
        await #expect(throws: UnavailableError.self) { try await catalog.current() }
        store.open()
        // A check that is still running began before, and fails.
        try await eventually { (try? await catalog.price()) == 1_000 }
    }

    @Test func `A check of the stock that finds no difference keeps the snapshot`() async throws {
        try await catalog.confirm()
        let before = try await catalog.current()
        shop.clock.advance(by: 3)
        try await catalog.check()
        #expect(try await catalog.current() === before)
        try await shop.guest().buyNow("cap", 2, total: 2_490).good()
        shop.clock.advance(by: 3)
        try await catalog.check()
        #expect(try await catalog.current() !== before)
    }

    @Test func `Edits and sales before a boundary are kept, and it drops only answers with its prices`() async throws {
        try await shop.scheduleCap()
        try await catalog.confirm()
        try await shop.edit("scarf-s", 4_000)
        try await shop.guest().buyNow("cap", 2, total: 2_490).good()
        shop.clock.advance(by: 5)
        try await catalog.confirm()
        let before = try await catalog.current()
        let (cap, scarf) = (CatalogReading(before), CatalogReading(before))
        #expect(cap.product(handle: "cap") != nil && scarf.product(handle: "scarf") != nil)
        store.fail()
        shop.clock.advance(by: 55)
        let after = try await catalog.current()
        let product = try #require(after.product(handle: "cap"))
        #expect(product.price.amount == 500 && product.variants.map(\.available) == [8])
        #expect(after.product(handle: "scarf")?.variants.first { $0.sku == "scarf-s" }?.price.amount == 4_000)
        #expect(!after.isCurrent(cap.footprint, since: cap.snapshot.serial))
        #expect(after.isCurrent(scarf.footprint, since: scarf.snapshot.serial))
    }

    // MARK: Changes by product

    @Test func `Everything is read again after a version that names no changes`() async throws {
        func edit(_ sku: String, _ amount: Int64) async throws {
            try await shop.database { connection in
                try connection.run("UPDATE variants SET price = ? WHERE sku = ?", [.integer(amount), .text(sku)])
                try connection.run("UPDATE catalog_version SET version = version + 1", [])
            }
        }
        try await edit("cap", 1_100)
        try await catalog.check()
        #expect(try await catalog.price() == 1_100)
        // Between two changes that are named.
        try await shop.edit("scarf-s", 4_000)
        try await edit("cap", 1_200)
        try await shop.edit("scarf-m", 4_100)
        try await catalog.check()
        #expect(try await catalog.price() == 1_200)
        #expect(try await catalog.price("scarf") == 4_000)
    }

    @Test func `The table of changes is bounded, and a server that is too far behind reads everything`() async throws {
        try await shop.edit("scarf-s", 2_000)
        try await shop.store.write { repositories in
            for _ in 0..<1_200 { try repositories.catalog.raiseVersion(changing: .ofVariant(sku: "cap")) }
        }
        #expect(try await shop.rows("SELECT 1 FROM catalog_changes").count <= 1_100)
        #expect(try await catalog.statements().contains { $0.contains("LIMIT 512") })
        #expect(try await catalog.price("scarf") == 2_000)
    }

    // MARK: Seasons

    @Test(.inShop([]))
    func `A season begins and ends without any access to the store, on the same index`() async throws {
        try await shop.feedSeasons([.stocked("old", season: "71"), .stocked("new", season: "72")])
        try await catalog.confirm()
        let before = try await catalog.current()
        #expect(try before.page(ProductQuery()).items.map(\.handle) == ["old"])
        store.fail()
        shop.clock.advance(by: 100)
        let after = try await catalog.current()
        #expect(try after.page(ProductQuery()).items.map(\.handle) == ["new"])
        #expect(after.product(handle: "old") != nil && before.product(handle: "new") == nil)
        #expect(after.parts.index === before.parts.index)
    }

    @Test func `The list of seasons is new at a boundary, with a season that has no products`() async throws {
        try await shop.feedSeasons([.stocked("cap")])
        try await catalog.confirm()
        let seasons = CatalogReading(try await catalog.current())
        let before = seasons.seasons
        store.fail()
        shop.clock.advance(by: 100)
        let after = try await catalog.current()
        #expect(after.seasons != before)
        #expect(!after.isCurrent(seasons.footprint, since: seasons.snapshot.serial))
    }

    @Test(.inShop([]))
    func `A season that is moved to the boundary of a price drops the lists at that time`() async throws {
        let now = shop.clock.now
        func feed(seasonEndsAfter seconds: TimeInterval) async throws {
            try await shop.feed([
                .season(Season(id: "71", name: "Summer", endsAt: now.addingTimeInterval(seconds))),
                .product(.stocked("cap")), .product(.stocked("old", season: "71")),
            ])
        }
        try await feed(seasonEndsAfter: 100)
        try await shop.scheduleCap()
        try await catalog.confirm()
        try await feed(seasonEndsAfter: 60)
        try await catalog.check()
        store.fail()
        let list = CatalogReading(try await catalog.current())
        #expect(try list.page(ProductQuery(sort: .name), after: nil).items.count == 2)
        let categories = CatalogReading(list.snapshot)
        _ = categories.categories(season: nil)
        shop.clock.advance(by: 60)
        let after = try await catalog.current()
        #expect(try after.page(ProductQuery()).items.map(\.handle) == ["cap"])
        #expect(!after.isCurrent(list.footprint, since: list.snapshot.serial))
        #expect(!after.isCurrent(categories.footprint, since: categories.snapshot.serial))
    }
}

@Suite(
    "Following many products", .timeLimit(.minutes(5)),
    .inShop(
        (1...300).map { .stocked("thing-\($0)", line: $0) },
        configure: { $0.instrument = { RecordingDatabase($0) } }))
struct CatalogChangeTests {
    private let shop = TestShop.current
    private let catalog: CatalogFollower

    init() async throws { catalog = try await CatalogFollower(store: shop.store, time: shop.clock, timeout: .zero) }

    @Test func `A price edit reads one product, and an import those that it changed`() async throws {
        let index = try await catalog.current().parts.index
        try await shop.edit("thing-7", 1_200)
        let edited = try await catalog.statements()
        #expect(!edited.contains { $0.contains("LIMIT 512") } && edited.count < 12, "\(edited)")
        #expect(try await catalog.price("thing-7") == 1_200)
        #expect(try await catalog.current().parts.index === index)
        try await shop.stock([.stocked("thing-8", price: 1_300), .stocked("newcomer")])
        let imported = try await catalog.statements()
        #expect(!imported.contains { $0.contains("LIMIT 512") }, "\(imported)")
        #expect(try await catalog.price("thing-8") == 1_300)
        #expect(try await catalog.price("newcomer") != nil)
        try await shop.stock((1...300).map { .stocked("thing-\($0)", price: 2_000) })
        #expect(try await catalog.statements().contains { $0.contains("LIMIT 512") })
        #expect(try await catalog.price("thing-300") == 2_000)
    }

    @Test func `No change is missed while many are published at the same time`() async throws {
        let isDone = Mutex(false)
        let following = Task { while !isDone.withLock({ $0 }) { try await catalog.check() } }
        for round in Int64(1)...4 {
            _ = try await parallel(24) { number in
                try await shop.edit("thing-\(number + 1)", 1_000 + round * 100 + Int64(number))
            }
        }
        isDone.withLock { $0 = true }
        try await following.value
        try await catalog.check()
        for number in 0..<24 { #expect(try await catalog.price("thing-\(number + 1)") == 1_400 + Int64(number)) }
        #expect(try await catalog.current().version == shop.store.read { try $0.catalog.version() })
    }
}

extension TestShop {
    /// Changes the price as an administrator does.
    fileprivate func edit(_ sku: String, _ amount: Int64) async throws {
        try await store.write { repositories in
            if try repositories.variants.setPrice(sku: sku, Money(amount, .eur)) {
                try repositories.catalog.raiseVersion(changing: .ofVariant(sku: sku))
            }
        }
    }
}

extension CatalogFollower {
    fileprivate func price(_ handle: String = "cap") async throws -> Int64? {
        try await current().product(handle: handle)?.price.amount
    }

    /// Runs a check to its end, with the preparation of the next boundary.
    fileprivate func confirm() async throws {
        try await check()
        try await prepareBoundary()
    }

    /// The statements of a check.
    fileprivate func statements() async throws -> [String] {
        try await RecordingDatabase.transactions { try await check() }.joined().map(\.sql)
    }
}
