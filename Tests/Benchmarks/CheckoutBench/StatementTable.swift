import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ShopBenching

/// Counts the transactions and SQL statements of each request, from signing up to cancelling an order.
struct StatementTable {
    private let client: any TestClientProtocol
    private var token: String?

    /// Sends the requests without a socket and prints the counts.
    static func show(_ shop: RunningShop) async throws {
        StatementCounts.showHead("Transactions and SQL statements of each request")
        let router = ShopRouter.build(shop.services).router
        try await Application(router: router, logger: .bench(.error)).test(.router) { client in
            var table = StatementTable(client: client)
            try await table.walk()
        }
        say("")
    }

    private mutating func walk() async throws {
        let address = AddressInput(.sample)
        let session = try await show(
            Contract.signUp, SignUpRequest(name: "Ada", email: "ada@example.com", password: "correct horse"))
        token = session.remoteSession.accessToken
        try await show(Contract.profile)
        let line = ["sku": "sku-1"]
        try await show(Contract.addCartLine, LineRequest(sku: "sku-1", quantity: 1))
        try await show(Contract.setCartLine, QuantityRequest(quantity: 2), path: line)
        _ = try await count(Contract.setCartLine, QuantityRequest(quantity: 1), line, isMinimal: true)
        try await show(Contract.setCartShipping, ShippingRequest(methodId: "standard", address: address))
        let cart = try await show(Contract.cart)
        // Reserves numbers for the orders that follow.
        try await show(Contract.checkout, checkout(cart), note: "first")
        let order = try await show(Contract.checkout, checkout(try await filled(1, address)), note: "1 line")
        try await show(Contract.checkout, checkout(try await filled(50, address)), note: "50 lines")
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

    private func filled(_ lines: Int, _ address: AddressInput) async throws -> Cart {
        for number in 0..<lines {
            _ = try await send(Contract.addCartLine, LineRequest(sku: "sku-\(number)", quantity: 1))
        }
        _ = try await send(Contract.setCartShipping, ShippingRequest(methodId: "standard", address: address))
        return try Cart(json: try await send(Contract.cart, nil))
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

    private func count<Body, Answer>(
        _ exchange: Exchange<Body, Answer>, _ body: (any JSONCodable)?, _ path: [String: String],
        isMinimal: Bool = false, note: String? = nil
    ) async throws -> Data {
        let notes = [isMinimal ? "minimal" : nil, note].compactMap(\.self).map { ", " + $0 }.joined()
        let endpoint = exchange.endpoint
        let name = "\(endpoint.method.rawValue) \(endpoint.template.path(path.mapValues { _ in "-" }))\(notes)"
        return try await StatementCounts.show(name) { try await send(exchange, body, path, isMinimal: isMinimal) }
    }

    private func send<Body, Answer>(
        _ exchange: Exchange<Body, Answer>, _ body: (any JSONCodable)?, _ path: [String: String] = [:],
        isMinimal: Bool = false
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
        let (short, long) = (5, 25)
        let start = try await transactions(of: shop, seconds: short)
        let all = try await transactions(of: shop, seconds: long)
        say("Transactions a second of an idle server\n")
        sayRow("", 40, ["transactions", "statements"], 14)
        let counts = [all.count - start.count, all.joined().count - start.joined().count]
        sayRow("per second", 40, counts.map { (Double($0) / Double(long - short)).text(2) }, 14)
        say("")
    }

    private static func transactions(of shop: BenchShop, seconds: Int) async throws -> [RecordingDatabase.Transaction] {
        try await RecordingDatabase.transactions {
            try await shop.run { _ in try await Task.sleep(for: .seconds(seconds)) }
        }
    }
}
