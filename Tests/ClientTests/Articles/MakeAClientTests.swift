#if !canImport(Security)
    import Foundation
    import PouchClient
    import Testing

    /// The article “Make a client”.
    @Suite(.timeLimit(.minutes(1)))
    struct MakeAClientTests {
        private let folder: TemporaryFolder
        private let server: URL

        init() throws {
            folder = try TemporaryFolder()
            server = try #require(URL(string: "http://127.0.0.1"))
        }

        private func client(of shop: StubShop) -> Pouch {
            makeClient(server: server, storage: .within(folder, server: server), transport: shop)
        }

        @Test func `what is found is told with its price`() async throws {
            let pouch = client(of: StubShop())
            #expect(try await namesAndPrices(of: "r", in: pouch) == ["rosa 10.00 EUR"])
        }

        @Test func `a guest buys one thing, and a later process knows the guest`() async throws {
            let shop = StubShop()
            let order = try await placeOrder(
                for: "rosa-1", to: StubShop.home, email: "guest@example.org", in: client(of: shop))
            #expect(order.status == .paid)
            let later = client(of: shop)
            #expect(try await later.account.restore()?.kind == .guest)
            #expect(try await later.orders.orders().items.map(\.id) == [order.id])
        }

        @Test func `an error is told in words`() {
            let shortfall = DataError(.outOfStock([StockShortfall(sku: "rosa-1", available: 2)]))
            #expect(explanation(of: shortfall) == "There are 2 of rosa-1.")
            #expect(explanation(of: DataError(.cartEmpty)) == "The cart is empty. Put something into it first.")
        }
    }
#endif
