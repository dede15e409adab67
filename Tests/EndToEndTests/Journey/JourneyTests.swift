import ClientTesting
import Foundation
import PouchClient
import Testing

/// The main job of the shop through all layers of the SDK, against a real server with a real database.
@Suite(.timeLimit(.minutes(5)))
struct JourneyTests {
    /// The connection of the SDK to the server.
    enum Connection: CaseIterable, Sendable {
        case inProcess
        case tcp

        func client(_ shop: RunningShop) -> Pouch {
            switch self {
            case .inProcess: Pouch(server: shop.url, transport: shop.responder)
            case .tcp: Pouch(server: shop.url)
            }
        }
    }

    static let address = Address(
        name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")

    @Test(arguments: Connection.allCases)
    func `A guest browses, signs up, pays and sees the order`(connection: Connection) async throws {
        try await withRunningShop { shop in
            let pouch = connection.client(shop)

            let found = try await pouch.catalog.products(ProductQuery(search: "cardgan"))
            let product = try await pouch.catalog.product(handle: #require(found.items.first).handle)
            #expect(product.name == "Ribbed Cardigan")
            #expect(product.description == "Warm & soft.")
            #expect(product.price == Money(12_900, .eur))
            let small = try #require(product.variants.first { $0.options == ["Size": "S"] })

            _ = try await pouch.cart.add(sku: small.sku, quantity: 2)
            let guest = try #require(pouch.account.session)
            #expect(guest.kind == .guest)

            let customer = try await pouch.account.signUp(
                name: "Ann Example", email: "ann@example.com", password: "correct horse")
            #expect(customer.kind == .customer)
            #expect(customer.id != guest.id)
            let taken = try await pouch.cart.refresh()
            #expect(taken.lines.map(\.sku) == [small.sku])
            #expect(taken.lines.map(\.quantity) == [2])

            let methods = try await pouch.checkout.shippingMethods(country: "AU")
            #expect(methods.map(\.id) == ["standard", "express"])
            let cart = try await pouch.cart.setShipping(methodId: "express", to: Self.address)
            #expect(cart.totals.total == Money(2 * 12_900 + 990, .eur))

            let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"))
            #expect(order.status == .paid)
            #expect(order.payment.status == .captured)
            #expect(order.totals == cart.totals)
            #expect(order.email == "ann@example.com")
            #expect(try await pouch.cart.refresh().lines.isEmpty)
            #expect(try await pouch.orders.orders().items.map(\.id) == [order.id])
            let available = try await pouch.catalog.availability(of: [small.sku])
            #expect(available.map(\.available) == [3])

            let cancelled = try await pouch.orders.cancel(id: order.id)
            #expect(cancelled.status == .cancelled)
            #expect(cancelled.payment.status == .refunded)
            #expect(cancelled.payment.refunded == order.totals.total)
            #expect(try await pouch.catalog.availability(of: [small.sku]).map(\.available) == [5])
        }
    }

    @Test func `A declined card leaves the cart as it was, and another card then pays`() async throws {
        try await withRunningShop { shop in
            let pouch = Connection.inProcess.client(shop)
            _ = try await pouch.cart.add(sku: "wool-scarf", quantity: 1)
            let cart = try await pouch.cart.setShipping(methodId: "standard", to: Self.address)
            let error = await #expect(throws: DataError.self) {
                try await pouch.checkout.pay(for: cart, with: .card(token: "tok_declined"), email: "a@example.com")
            }
            #expect(error?.reason == .paymentDeclined(code: "card_declined"))
            #expect(error?.requestId?.isEmpty == false)
            let after = try await pouch.cart.refresh()
            #expect(after.lines.map(\.sku) == ["wool-scarf"])
            #expect(after.shipping?.methodId == "standard")
            let order = try await pouch.checkout.pay(for: after, with: .card(token: "tok_ok"), email: "a@example.com")
            #expect(order.status == .paid)
        }
    }

    @Test func `A product can be bought until its last unit is sold`() async throws {
        try await withRunningShop { shop in
            let pouch = Connection.inProcess.client(shop)
            let draft = OrderDraft(
                lines: [.init(sku: "ribbed-cardigan-m", quantity: 1)], address: Self.address, methodId: "standard")
            let preview = try await pouch.checkout.preview(draft)
            let order = try await pouch.checkout.buy(
                draft, for: preview.totals.total, with: .card(token: "tok_ok"), email: "a@example.com")
            #expect(order.status == .paid)
            let error = await #expect(throws: DataError.self) {
                try await pouch.checkout.buy(
                    draft, for: preview.totals.total, with: .card(token: "tok_ok"), email: "a@example.com")
            }
            #expect(error?.reason == .outOfStock([StockShortfall(sku: "ribbed-cardigan-m", available: 0)]))
        }
    }

    @Test func `When the provider's answer is lost, the buyer gets a pending order`() async throws {
        try await withRunningShop { shop in
            let pouch = Connection.tcp.client(shop)
            _ = try await pouch.cart.add(sku: "wool-scarf", quantity: 1)
            let cart = try await pouch.cart.setShipping(methodId: "standard", to: Self.address)
            let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_lost"), email: "a@example.com")
            #expect(order.status == .pending)
            #expect(order.payment.status == .pending)
            #expect(try await pouch.orders.order(id: order.id).status == .pending)
        }
    }

    @Test func `Another customer's cart and orders are not visible`() async throws {
        try await withRunningShop { shop in
            let ann = Connection.inProcess.client(shop)
            let bob = Connection.inProcess.client(shop)
            let draft = OrderDraft(
                lines: [.init(sku: "wool-scarf", quantity: 1)], address: Self.address, methodId: "standard")
            let total = try await ann.checkout.preview(draft).totals.total
            let order = try await ann.checkout.buy(
                draft, for: total, with: .card(token: "tok_ok"), email: "a@example.com")
            _ = try await ann.cart.add(sku: "wool-scarf", quantity: 1)
            #expect(try await bob.cart.refresh().lines.isEmpty)
            #expect(try await bob.orders.orders().items.isEmpty)
            for attempt in [bob.orders.order(id:), bob.orders.cancel(id:)] {
                let error = await #expect(throws: DataError.self) { try await attempt(order.id) }
                #expect(error?.reason == .notFound)
            }
        }
    }

    @Test func `A stored session continues in another process`() async throws {
        try await withRunningShop { shop in
            let folder = try TemporaryFolder()
            let store = FileSessionStore(file: folder.file("session.json"))
            let first = Pouch(server: shop.url, sessionStore: store)
            try await first.account.signUp(name: "Ann", email: "ann@example.com", password: "correct horse")
            _ = try await first.cart.add(sku: "wool-scarf", quantity: 2)
            let second = Pouch(server: shop.url, sessionStore: store)
            #expect(try await second.account.restore()?.profile?.email == "ann@example.com")
            #expect(try await second.cart.refresh().unitCount == 2)
            try await second.account.signOut()
            #expect(try await store.load() == nil)
            let third = Pouch(server: shop.url, sessionStore: store)
            #expect(try await third.account.restore() == nil)
        }
    }
}
