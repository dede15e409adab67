import ClientTesting
import Foundation
import PouchClient
import PouchTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PagingTests {
    private let shop = TestShop(sellsAnySKU: true)

    private func managers(_ transport: any Transport) throws -> (CatalogManager, ManagersUnderTest) {
        let managers = try ManagersUnderTest(over: transport, as: .ada)
        return (CatalogManager(data: managers.data), managers)
    }

    private func fill(_ count: Int, pageSize: Int) {
        shop.change { state in
            state.products = (0..<count).map { Product.sample(sku: "hat-\($0)") }
            state.pageSize = pageSize
        }
    }

    @Test func `all products are read in order, page by page, as they are wanted`() async throws {
        fill(5, pageSize: 2)
        let (catalog, _) = try managers(shop)
        var products = catalog.all(ProductQuery(category: "hats", cursor: "ignored")).makeAsyncIterator()
        #expect(try await products.next()?.handle == "hat-0")
        #expect(try await products.next()?.handle == "hat-1")
        #expect(shop.requests(to: Contract.products).count == 1)
        var rest: [String] = []
        while let product = try await products.next() { rest.append(product.handle) }
        #expect(rest == ["hat-2", "hat-3", "hat-4"])
        #expect(shop.requests(to: Contract.products).count == 3)
        #expect(shop.requests.allSatisfy { $0.url.query()?.contains("category=hats") == true })
        #expect(try await products.next() == nil)
        #expect(shop.requests(to: Contract.products).count == 3)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `lists of any length end, and each iterator starts with the first page`(count: Int) async throws {
        fill(count, pageSize: 2)
        let all = try managers(shop).0.all()
        for _ in 0..<2 {
            let handles = try await all.reduce(into: [String]()) { $0.append($1.handle) }
            #expect(handles == (0..<count).map { "hat-\($0)" })
        }
    }

    /// A program that watches prices must not take yesterday's for today's.
    @Test func `pages of a list tell that they are from this device, and which rows are unreadable`() async throws {
        shop.change { $0.products = [.sample(sku: "hat-1")] }
        let catalog = CatalogManager(data: try ManagersUnderTest(over: shop, as: .ada).data, now: { .sample })
        try await catalog.refresh()
        var current = catalog.all().pages.makeAsyncIterator()
        #expect(try await current.next()?.failure == nil)
        shop.connection = .down
        let page = try await catalog.all().pages.first { _ in true }
        #expect(page?.value.map(\.handle) == ["hat-1"])
        #expect(page?.failure?.reason == .unreachable && page?.asOf != nil)
        shop.connection = .up
        shop.failNext(Contract.products, with: .answer(.text("{\"items\":[{\"id\":1}]}")))
        let damaged = try await catalog.all().pages.first { _ in true }
        #expect(damaged?.value.isEmpty == true && damaged?.unreadable.map(\.row) == [0])
    }

    @Test func `an error ends the list after the items before it`() async throws {
        fill(3, pageSize: 2)
        let (catalog, _) = try managers(shop)
        var products = catalog.all().makeAsyncIterator()
        _ = try await products.next()
        _ = try await products.next()
        shop.answer(Contract.products) { _ in .problem(.cursorExpired) }
        #expect(await thrownReason { try await products.next() } == .listChanged)
        #expect(try await products.next() == nil)
    }

    @Test func `a server that repeats a cursor makes no endless list`() async throws {
        let transport = StubTransport { _ in .json(Page(items: [Fixture.order()], nextCursor: "same")) }
        let (_, managers) = try managers(transport)
        var orders = 0
        await #expect(throws: DataError.self) { for try await _ in managers.orders.all() { orders += 1 } }
        #expect(orders == 1)
    }

    @Test func `orders, rides and an administrator's lists are read whole`() async throws {
        let first = Mutex<Set<String>>([])
        let transport = StubTransport { request in
            let isFirst = first.withLock { $0.insert(request.url.path()).inserted }
            let next = isFirst ? "2" : nil
            return switch request.url.lastPathComponent {
            case "orders": .json(Page(items: [Fixture.order()], nextCursor: next))
            case "rides": .json(Page(items: [Ride.sample(.completed)], nextCursor: next))
            default: .problem(.notFound)
            }
        }
        let (_, managers) = try managers(transport)
        #expect(try await managers.orders.all().reduce(0) { count, _ in count + 1 } == 2)
        #expect(try await managers.rides.all().reduce(0) { count, _ in count + 1 } == 2)
        #expect(try await managers.admin.allOrders().reduce(0) { count, _ in count + 1 } == 2)
    }

    @Test func `a test shop's lists have pages, and an id is used once`() async throws {
        let shop = TestShop(products: (1...5).map { .sample(sku: "hat-\($0)", price: Int64(90 - $0), stock: $0 % 2) })
        shop.change { $0.pageSize = 2 }
        shop.put(.sample(.completed, id: "rid_2"))
        let pouch = Pouch(testing: shop, signedInAs: .sample())
        for _ in 1...3 {
            let ride = try await pouch.rides.request(.sample(), option: "wallaby")
            shop.advance(ride.id, to: .completed)
            let draft = OrderDraft(lines: [.init(sku: "hat-1", quantity: 1)], address: .sample(), methodId: "standard")
            shop.setStock("hat-1", 1)
            let order = try await pouch.checkout.buy(
                draft, for: try await pouch.checkout.preview(draft).totals.total, with: .card(token: "tok_ok"))
            #expect(try await pouch.orders.cancel(id: order.id).payment.refunded == order.totals.total)
            #expect(shop.world.stock["hat-1"] == 1)
        }
        let first = try await pouch.orders.orders()
        #expect(first.items.count == 2 && first.nextCursor != nil)
        #expect(try await pouch.orders.all().reduce(into: []) { $0.append($1.id) } == ["ord_3", "ord_2", "ord_1"])
        let rides = try await pouch.rides.all().reduce(into: []) { $0.append($1.id) }
        #expect(rides == ["rid_4", "rid_3", "rid_1", "rid_2"])
        for id in ["adr_1", "adr_2"] { #expect(try await pouch.account.addAddress(.sample()).id == id) }
        try await pouch.account.removeAddress(id: "adr_1")
        #expect(try await pouch.account.addAddress(.sample()).id == "adr_3")
        let cheap = ProductQuery(inStock: true, sort: .priceAscending)
        let handles = try await pouch.catalog.all(cheap).reduce(into: []) { $0.append($1.handle) }
        #expect(handles == ["hat-5", "hat-3", "hat-1"])
    }
}
