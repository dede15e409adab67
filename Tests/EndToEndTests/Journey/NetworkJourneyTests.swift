import ClientTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchClient
import SeededRandom
import ServerTesting
import Testing

@testable import chaos

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
                let reports = Collector<NetworkReport>()
                let proxy = try #require(BasicAuthentication(user: "shop", password: "pass word", server: url))
                let pouch = Pouch(
                    server: url, network: NetworkOptions(authentication: proxy, observe: { reports.add($0) }))
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
                #expect(reports.all.count >= 7)
                #expect(reports.all.allSatisfy { $0.error == nil && $0.requestId != nil })
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
    @Test func `After 300 shoppers nothing was done twice or lost, and no shopper is signed out`() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Chaos(seeds: TestSeed.first..<TestSeed.first + 300).run(in: folder.url)
        #expect(outcome.violations.isEmpty, "\(outcome.summary)")
    }
}
