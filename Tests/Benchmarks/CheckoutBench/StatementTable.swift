import Benchmarking
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PouchContract
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire
import ServerTesting
import ShopBenching

/// Counts the transactions and SQL statements of each request, from signing up to cancelling an order.
struct StatementTable {
    private let client: any TestClientProtocol
    private var token: String?

    /// Sends the requests without a socket and prints the counts.
    static func show(_ shop: RunningShop) async throws {
        StatementCounts.showHead("Transactions and SQL statements of each request")
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        try await Application(router: ShopRouter.build(shop.services).router, logger: logger).test(.router) { client in
            var table = StatementTable(client: client)
            try await table.walk()
        }
        say("")
    }

    private mutating func walk() async throws {
        let address = AddressInput(
            Address(name: "Ada", line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE"))
        let session = try await show(
            Contract.signUp, SignUpRequest(name: "Ada", email: "ada@example.com", password: "correct horse"))
        token = session.remoteSession.accessToken
        try await show(Contract.profile)
        let line = ["sku": "sku-1"]
        try await show(Contract.addCartLine, LineRequest(sku: "sku-1", quantity: 1))
        try await show(Contract.setCartLine, QuantityRequest(quantity: 2), path: line)
        _ = try await count(Contract.setCartLine, QuantityRequest(quantity: 1), line, isMinimal: true)
        try await show(Contract.setCartShipping, ShippingRequest(methodId: "standard", address: address))
        var cart = try await show(Contract.cart)
        // Reserves numbers for the orders that follow.
        try await show(Contract.checkout, checkout(cart), note: "first")
        try await fill(1, address)
        cart = try await answer(Contract.cart)
        let order = try await show(Contract.checkout, checkout(cart), note: "1 line")
        try await fill(50, address)
        cart = try await answer(Contract.cart)
        try await show(Contract.checkout, checkout(cart), note: "50 lines")
        let lines = [LineRequest(sku: "sku-1", quantity: 1)]
        let preview = try await show(
            Contract.previewOrder, PreviewRequest(lines: lines, address: address, methodId: "standard"))
        try await show(
            Contract.buyNow,
            BuyNowRequest(
                lines: lines, address: address, methodId: "standard", paymentMethod: .card(token: "tok_ok"),
                expectedTotal: preview.totals.total))
        try await show(Contract.order, path: ["id": order.id])
        try await show(Contract.orders)
        try await show(Contract.cancelOrder, path: ["id": order.id])
    }

    private func checkout(_ cart: Cart) -> CheckoutRequest {
        CheckoutRequest(paymentMethod: .card(token: "tok_ok"), expectedTotal: cart.totals.total)
    }

    private func fill(_ lines: Int, _ address: AddressInput) async throws {
        for number in 0..<lines {
            try await answer(Contract.addCartLine, LineRequest(sku: "sku-\(number)", quantity: 1))
        }
        try await answer(Contract.setCartShipping, ShippingRequest(methodId: "standard", address: address))
    }

    // MARK: Requests

    /// Sends a request, prints its counts and returns its answer.
    @discardableResult
    private func show<Body, Answer: JSONCodable>(
        _ exchange: Exchange<Body, Answer>, _ body: (any JSONCodable)? = nil, path: [String: String] = [:],
        note: String? = nil
    ) async throws -> Answer {
        try Answer(json: try await count(exchange, body, path, note: note))
    }

    /// Sends a request and returns its answer.
    @discardableResult
    private func answer<Body, Answer: JSONCodable>(
        _ exchange: Exchange<Body, Answer>, _ body: (any JSONCodable)? = nil
    ) async throws -> Answer {
        try Answer(json: try await send(exchange, body, [:], isMinimal: false))
    }

    private func count<Body, Answer>(
        _ exchange: Exchange<Body, Answer>, _ body: (any JSONCodable)?, _ path: [String: String],
        isMinimal: Bool = false,
        note: String? = nil
    ) async throws -> Data {
        let notes = [isMinimal ? "minimal" : nil, note].compactMap(\.self).map { ", " + $0 }.joined()
        let endpoint = exchange.endpoint
        let name = "\(endpoint.method.rawValue) \(endpoint.template.path(path.mapValues { _ in "-" }))\(notes)"
        return try await StatementCounts.show(name) {
            try await send(exchange, body, path, isMinimal: isMinimal)
        }
    }

    private func send<Body, Answer>(
        _ exchange: Exchange<Body, Answer>, _ body: (any JSONCodable)?, _ path: [String: String], isMinimal: Bool
    ) async throws -> Data {
        var headers: HTTPFields = [:]
        if body != nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer " + token }
        let names = [
            HeaderName.idempotencyKey: exchange.features.contains(.keyRequired) ? UUID().uuidString : nil,
            HeaderName.prefer: isMinimal ? "return=minimal" : nil,
        ]
        for (name, value) in names { if let name = HTTPField.Name(name) { headers[name] = value } }
        let response = try await client.executeRequest(
            uri: exchange.endpoint.template.path(path),
            method: HTTPRequest.Method(exchange.endpoint.method.rawValue) ?? .get, headers: headers,
            body: try body.map { ByteBuffer(bytes: try $0.json()) })
        guard response.status.code == exchange.status else {
            throw BenchError("\(exchange.endpoint.name): \(String(buffer: response.body))")
        }
        return Data(response.body.readableBytesView)
    }
}

/// Counts the transactions of an idle server.
enum IdleServer {
    /// Without those of the start, which the shorter of two runs has too.
    static func show(_ shop: BenchShop) async throws {
        let (short, long) = (Duration.seconds(5), Duration.seconds(25))
        let start = try await transactions(of: shop, for: short)
        let all = try await transactions(of: shop, for: long)
        let seconds = Double((long - short).components.seconds)
        say("Transactions a second of an idle server\n")
        sayRow("", 40, ["transactions", "statements"], 14)
        let counts = [all.count - start.count, all.joined().count - start.joined().count]
        sayRow("per second", 40, counts.map { String(format: "%.2f", Double($0) / seconds) }, 14)
        say("")
    }

    private static func transactions(
        of shop: BenchShop, for time: Duration
    ) async throws -> [RecordingDatabase.Transaction] {
        try await RecordingDatabase.transactions {
            try await shop.run { _ in try await Task.sleep(for: time) }
        }
    }
}
