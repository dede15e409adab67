import Foundation
import PouchClient
import Synchronization
import Testing

/// Shopping over a line that breaks, before and after the effect, against a real server.
@Suite(.timeLimit(.minutes(1)))
struct OfflineJourneyTests {
    /// A line to the server that can be broken.
    private final class Line: Transport {
        enum State: Sendable {
            case up
            case down
            case losesAnswers
        }

        private let transport: any Transport
        private let current = Mutex(State.up)

        init(_ transport: any Transport) {
            self.transport = transport
        }

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

    /// Somebody's device: what it keeps outlives the app that runs on it.
    private struct Device: Sendable {
        let line: Line
        private let server: URL
        private let store = MemoryStore()
        private let sessions = MemorySessionStore()

        init(at shop: RunningShop) {
            line = Line(shop.responder)
            server = shop.url
        }

        func startApp() -> PouchClient {
            PouchClient(server: server, transport: line, sessionStore: sessions, store: store)
        }

        /// An app in which the products and the cart were looked at.
        func startAppAndLook() async throws -> PouchClient {
            let app = startApp()
            await store.merge(try await app.catalog.products().items)
            try await app.cart.refresh()
            return app
        }
    }

    @Test("Edits that were made offline, or whose answers were lost, are done once each when the server is back")
    func cart() async throws {
        try await withRunningShop { shop in
            let device = Device(at: shop)
            let pouch = try await device.startAppAndLook()

            device.line.state = .losesAnswers
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
            #expect(try await pouch.cart.refresh() == confirmed.cart)
            #expect(confirmed.cart.totals.items == Money(3 * estimate.lines[0].unitPrice.amount, .eur))
        }
    }

    @Test("A guest's edits whose answers were lost are in the account's cart once after signing up")
    func guest() async throws {
        try await withRunningShop { shop in
            let device = Device(at: shop)
            let pouch = try await device.startAppAndLook()
            device.line.state = .losesAnswers
            try await pouch.cart.add(sku: "wool-scarf", quantity: 2)
            device.line.state = .up
            try await pouch.account.signUp(name: "Ann", email: "ann@example.com", password: "correct horse")
            #expect(try await pouch.cart.refresh().lines.map(\.quantity) == [2])
        }
    }

    @Test("A purchase whose answer was lost is found by the next process, and made once")
    func purchase() async throws {
        try await withRunningShop { shop in
            let device = Device(at: shop)
            let first = device.startApp()
            try await first.cart.add(sku: "wool-scarf")
            let cart = try await first.cart.setShipping(methodId: "standard", to: JourneyTests.address)
            device.line.state = .losesAnswers
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
