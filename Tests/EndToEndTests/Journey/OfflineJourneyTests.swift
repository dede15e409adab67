import Foundation
import PouchClient
import Synchronization
import Testing

/// Shopping over a connection that breaks before or after a request takes effect, against a real server.
@Suite(.timeLimit(.minutes(5)))
struct OfflineJourneyTests {
    /// A connection to the server that can be broken.
    private final class BreakableTransport: Transport {
        enum State: Sendable {
            case up
            case down
            case losesResponses
        }

        private let transport: any Transport
        private let current = Mutex(State.up)

        init(_ transport: any Transport) { self.transport = transport }

        var state: State {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }

        func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
            let state = state
            guard state != .down else { throw .unreachable("the line is down") }
            let response = try await transport.send(request)
            guard state == .up else { throw .timedOut }
            return response
        }
    }

    /// A customer's device. Its stored data outlives each run of the app.
    private struct Device: Sendable {
        let line: BreakableTransport
        private let server: URL
        private let store = MemoryStore()
        private let sessions = MemorySessionStore()

        init(at shop: RunningShop) {
            line = BreakableTransport(shop.responder)
            server = shop.url
        }

        func startApp() -> Pouch { Pouch(server: server, transport: line, sessionStore: sessions, store: store) }

        /// Starts an app, and loads the products and the cart.
        func startAppAndLoad() async throws -> Pouch {
            let app = startApp()
            await store.merge(try await app.catalog.products().items)
            try await app.cart.refresh()
            return app
        }
    }

    @Test
    func `Edits made offline, or whose responses were lost, take effect once when the server is back`() async throws {
        try await withRunningShop { shop in
            let device = Device(at: shop)
            let pouch = try await device.startAppAndLoad()
            device.line.state = .losesResponses
            try await pouch.cart.add(sku: "wool-scarf")
            device.line.state = .down
            let estimate = try await pouch.cart.add(sku: "wool-scarf")
            #expect(estimate.lines.map(\.quantity) == [2])
            #expect(pouch.cart.state?.pendingCount == 2)
            #expect(pouch.connection.connection == .offline)
            try await pouch.cart.set(sku: "wool-scarf", quantity: 3)
            device.line.state = .up
            try await pouch.cart.sendPending()
            let confirmed = try #require(pouch.cart.state)
            #expect(confirmed.isConfirmed)
            #expect(confirmed.cart.lines.map(\.quantity) == [3])
            #expect(try await pouch.cart.refresh() == confirmed.cart.value)
            #expect(confirmed.cart.totals.items == Money(3 * estimate.lines[0].unitPrice.amount, .eur))
        }
    }

    @Test func `After signing up, a guest's edit whose response was lost is in the account's cart once`() async throws {
        try await withRunningShop { shop in
            let device = Device(at: shop)
            let pouch = try await device.startAppAndLoad()
            device.line.state = .losesResponses
            try await pouch.cart.add(sku: "wool-scarf", quantity: 2)
            device.line.state = .up
            try await pouch.account.signUp(name: "Ann", email: "ann@example.com", password: "correct horse")
            #expect(try await pouch.cart.refresh().lines.map(\.quantity) == [2])
        }
    }

    @Test func `A purchase whose response was lost is resumed by the next process, and made once`() async throws {
        try await withRunningShop { shop in
            let device = Device(at: shop)
            let first = device.startApp()
            try await first.cart.add(sku: "wool-scarf")
            let cart = try await first.cart.setShipping(methodId: "standard", to: JourneyTests.address)
            device.line.state = .losesResponses
            await #expect(throws: DataError.self) {
                try await first.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: "a@example.com")
            }
            device.line.state = .up
            let second = device.startApp()
            let unresolved = try #require(try await second.checkout.unresolved().first)
            #expect(unresolved.total == cart.totals.total)
            let order = try await second.checkout.resume(unresolved)
            #expect(order.status == .paid)
            #expect(try await second.orders.orders().items.map(\.id) == [order.id])
            device.line.state = .down
            #expect(try await second.orders.knownOrders().items.map(\.id) == [order.id])
        }
    }
}
