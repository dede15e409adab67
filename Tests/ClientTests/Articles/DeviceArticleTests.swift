import ClientTesting
import PouchTesting
import PouchWire
#if !canImport(Security)
    import Foundation
    import PouchClient
    import Testing

    /// The article “Make a client”.
    @Suite(.timeLimit(.minutes(5)))
    struct MakeAClientTests {
        private let folder: TemporaryFolder
        private let server: URL

        init() throws {
            folder = try TemporaryFolder()
            server = try #require(URL(string: "http://127.0.0.1"))
        }

        private func client(of shop: TestShop) -> Pouch {
            makeClient(server: server, storage: .within(folder, server: server), transport: shop)
        }

        @Test func `found products have names and prices`() async throws {
            let pouch = client(of: TestShop.sample(sellsAnySKU: true))
            #expect(try await namesAndPrices(of: "ro", in: pouch) == ["Rosa 10.00 EUR"])
        }

        @Test func `a guest buys one thing, and a later process knows the guest`() async throws {
            let shop = TestShop.sample(sellsAnySKU: true)
            let order = try await placeOrder(
                for: "rosa-1", to: Address.sample(id: "adr_1"), email: "guest@example.org", in: client(of: shop))
            #expect(order.status == .paid)
            let later = client(of: shop)
            #expect(try await later.account.restore()?.kind == .guest)
            #expect(try await later.orders.orders().items.map(\.id) == [order.id])
        }

        @Test func `a standing order is placed once, in however many runs`() async throws {
            let shop = TestShop.sample(sellsAnySKU: true)
            let draft = OrderDraft(
                lines: [.init(sku: "rosa-1", quantity: 1)], address: Address.sample(id: "adr_1"), methodId: "standard")
            var orders: [String] = []
            for day in ["2026-11-28", "2026-11-28", "2026-11-29"] {
                let order = try await standingOrder(
                    of: draft, on: day, email: "guest@example.org", in: client(of: shop))
                orders.append(order.id)
            }
            #expect(orders == ["ord_1", "ord_1", "ord_2"])
            #expect(shop.effects == ["order ord_1", "order ord_2"])
        }

        @Test func `an error has an explanation`() {
            let shortfall = DataError(.outOfStock([StockShortfall(sku: "rosa-1", available: 2)]))
            #expect(explanation(of: shortfall) == "There are 2 of rosa-1.")
            #expect(explanation(of: DataError(.cartEmpty)) == "The cart is empty. Add a product first.")
        }
    }

    /// The article “Shop offline”.
    @Suite(.timeLimit(.minutes(5)))
    struct ShopOfflineTests {
        private let shop = TestShop.sample(sellsAnySKU: true)
        private let folder: TemporaryFolder
        private let server: URL

        init() throws {
            folder = try TemporaryFolder()
            server = try #require(URL(string: "http://127.0.0.1"))
        }

        private func open() async throws -> Pouch {
            try await openClient(
                server: server, storage: .within(folder, server: server), transport: shop)
        }

        @Test func `an imported catalogue is searched without the shop, with its age`() async throws {
            let pouch = try await open()
            #expect(try await title(of: ProductQuery(search: "l"), in: pouch) == "1 products")
            let keeping = keepCatalog(of: pouch)
            defer { keeping.cancel() }
            for await progress in pouch.catalog.importProgress() where progress == nil {
                if await pouch.catalog.importedAt() != nil { break }
            }
            shop.connection = .down
            #expect(try await title(of: ProductQuery(search: "ro"), in: pouch).hasPrefix("1 products, as of 20"))
        }

        @Test func `edits of the cart wait for the shop, whose changes are published`() async throws {
            let pouch = try await open()
            try await pouch.cart.add(sku: "rosa-1", quantity: 2)
            #expect(badge(of: pouch) == "2")
            shop.connection = .down
            try await pouch.cart.set(sku: "rosa-1", quantity: 5)
            #expect(badge(of: pouch) == "5, 1 to send")
            let (shown, continuation) = AsyncStream.makeStream(of: String.self)
            let following = Task { await followCart(of: pouch) { continuation.yield($0) } }
            defer { following.cancel() }
            shop.failNext(Contract.setCartLine, with: .problem(.outOfStock))
            shop.connection = .up
            try await pouch.cart.sendPending()
            var texts = shown.makeAsyncIterator()
            #expect(await texts.next() == "Not enough in stock.")
            #expect(badge(of: pouch) == "2")
            shop.setPrice("rosa-1", 1200)
            try await pouch.cart.refresh()
            #expect(await texts.next() == "rosa-1: priceChanged")
        }

        @Test func `a purchase whose answer was lost is settled by a later process, once`() async throws {
            let first = try await open()
            try await first.cart.add(sku: "rosa-1")
            let cart = try await first.cart.setShipping(methodId: "standard", to: Address.sample(id: "adr_1"))
            shop.connection = .losesAnswers
            await #expect(throws: DataError.self) {
                try await first.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: "guest@example.org")
            }
            shop.connection = .up
            let later = try await open()
            #expect(try await settlePurchases(of: later).map(\.id) == ["ord_1"])
            #expect(try await later.orders.orders().items.map(\.id) == ["ord_1"])
            #expect(try await settlePurchases(of: later).isEmpty)
        }
    }

    extension DeviceStorage {
        /// A device that stores everything in the folder.
        static func within(_ folder: TemporaryFolder, server: URL) -> DeviceStorage {
            DeviceStorage(
                server: server, application: "kiosk",
                environment: ["XDG_STATE_HOME": folder.url.path, "XDG_CACHE_HOME": folder.file("cache").path])
        }
    }
#endif
