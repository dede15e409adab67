import ClientTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchClient
import SeededRandom
import ServerTesting
import Synchronization
import Testing

@testable import chaos

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
            #expect(pouch.cart.state?.pendingCount == 2 && pouch.connection.connection == .offline)
            try await pouch.cart.set(sku: "wool-scarf", quantity: 3)
            device.line.state = .up
            try await pouch.cart.sendPending()
            let confirmed = try #require(pouch.cart.state)
            #expect(confirmed.isConfirmed && confirmed.cart.lines.map(\.quantity) == [3])
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

/// A real server behind a proxy that asks for a name and a password (HTTP Basic).
@Suite(.timeLimit(.minutes(5)))
struct ProxyTests {
    private static let credentials = "Basic " + Data("shop:pass word".utf8).base64EncodedString()

    /// A proxy on a port of its own.
    ///
    /// - Parameter passesOn: whether the server gets the password as well, as from most proxies by default.
    private static func withProxy<Value: Sendable>(
        to server: URL, passesOn: Bool, _ body: @Sendable (URL) async throws -> Value
    ) async throws -> Value {
        let transport = URLSessionTransport()
        let router = Router()
        for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch] {
            router.on("**", method: method) { request, _ in
                guard request.headers[.authorization] == credentials else {
                    return Response(status: .unauthorized, headers: [.wwwAuthenticate: #"Basic realm="staging""#])
                }
                return try await forward(request, to: server, passesOn: passesOn, over: transport)
            }
        }
        return try await serve(router, body)
    }

    private static func forward(
        _ request: Request, to server: URL, passesOn: Bool, over transport: URLSessionTransport
    ) async throws -> Response {
        let own: Set<String> = ["host", "content-length", "connection", "accept-encoding"]
        let fields = request.headers.filter { field in
            !own.contains(field.name.canonicalName) && (passesOn || field.name != .authorization)
        }
        let data = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
        let answer = try await transport.send(
            NetworkRequest(
                url: try #require(URL(string: server.absoluteString + request.uri.string)),
                method: request.method.rawValue,
                headers: HeaderFields(fields.map { .init(name: $0.name.rawName, value: $0.value) }),
                body: data.isEmpty ? nil : data)
        ).collected()
        var headers = HTTPFields()
        for field in answer.headers.fields {
            guard let name = HTTPField.Name(field.name),
                !["content-length", "content-encoding", "transfer-encoding", "connection"].contains(name.canonicalName)
            else { continue }
            headers.append(HTTPField(name: name, value: field.value))
        }
        return Response(
            status: .init(code: answer.status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: answer.data)))
    }

    @Test(arguments: [true, false])
    func `A guest shops, signs up and orders through a proxy with a password`(passesOn: Bool) async throws {
        try await withRunningShop { shop in
            try await Self.withProxy(to: shop.url, passesOn: passesOn) { url in
                let reports = Mutex<[NetworkReport]>([])
                let proxy = try #require(BasicAuthentication(user: "shop", password: "pass word", server: url))
                let pouch = Pouch(
                    server: url,
                    network: NetworkOptions(
                        authentication: proxy, observe: { report in reports.withLock { $0.append(report) } }))
                let found = try await pouch.catalog.products(ProductQuery(search: "cardigan"))
                let sku = try #require(found.items.first?.variants.first?.sku)
                try await pouch.cart.add(sku: sku)
                try await pouch.account.signUp(name: "Ann", email: "ann@example.com", password: "correct horse")
                #expect(try await pouch.cart.refresh().lines.map(\.sku) == [sku], "the guest's cart was merged")
                let cart = try await pouch.cart.setShipping(methodId: "standard", to: JourneyTests.address)
                let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"))
                #expect(try await pouch.orders.orders().items.map(\.id) == [order.id])
                let other = Pouch(server: url, network: NetworkOptions(authentication: proxy))
                try await other.account.signIn(email: "ann@example.com", password: "correct horse")
                #expect(try await other.orders.orders().items.map(\.id) == [order.id])
                let seen = reports.withLock { $0 }
                #expect(seen.count >= 7 && seen.allSatisfy { $0.error == nil && $0.requestId != nil })
            }
        }
    }

    @Test func `Without the password, or with a wrong one, nothing reaches the shop`() async throws {
        try await withRunningShop { shop in
            try await Self.withProxy(to: shop.url, passesOn: true) { url in
                let wrong = BasicAuthentication(user: "shop", password: "password", server: url)
                for options in [NetworkOptions(), NetworkOptions(authentication: wrong)] {
                    await #expect(throws: DataError.self) {
                        try await Pouch(server: url, network: options).catalog.products()
                    }
                }
            }
        }
    }
}

@Suite("Shopping over bad networks", .timeLimit(.minutes(10)))
struct ChaosTests {
    @Test func `After 300 shoppers nothing was done twice, nothing is lost, and no shopper is signed out`() async throws
    {
        let folder = try TemporaryFolder()
        let outcome = try await Chaos(seeds: TestSeed.first..<TestSeed.first + 300).run(in: folder.url)
        #expect(outcome.violations.isEmpty, "\(outcome.summary)")
    }
}
