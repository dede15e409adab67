import Benchmarking
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PouchHTTP
import PouchWeb
import ShopBenching

/// Counts the transactions and SQL statements of pages and forms on a buyer's way, and of the administration.
struct PageStatements {
    private let client: any TestClientProtocol
    private let visitors: Visitors

    /// Sends the requests without a socket and prints the counts.
    static func show(_ running: RunningShop, _ visitors: Visitors) async throws {
        StatementCounts.showHead("Transactions and SQL statements of each page, and of each form with its redirect")
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        let pages = WebPages(running.services, WebSettings(publicURL: running.url, theme: try WebTheme()))
        let (router, _, actions) = ShopRouter.build(running.services, refusals: pages.refusals)
        pages.add(to: router, actions: actions)
        try await Application(router: router, logger: logger).test(.router) { client in
            try await PageStatements(client: client, visitors: visitors).walk(running)
        }
        say("")
    }

    private func walk(_ running: RunningShop) async throws {
        let product = "/product/\(Visitors.product)"
        for path in ["/", "/products", product] { try await get(path, nil) }
        let buyer = try await running.token(of: visitors.newcomer)
        let line = [("key", "first"), ("sku", Visitors.sku), ("quantity:int", "1")]
        try await post("/cart/lines", buyer, line)
        try await get("/cart", buyer)
        try await get("/checkout", buyer)
        let total = try await running.total(of: visitors.newcomer)
        let order = try await post("/checkout", buyer, CheckoutJourneys.fields(total: total, key: "second"))
        try await get(order, buyer, as: "/orders/{id}")
        try await get("/orders", buyer)
        try await get("/account", visitors.member)
        for path in ["/admin", "/admin/orders", "/admin/products"] { try await get(path, visitors.owner) }
        try await get("/admin/orders/\(visitors.orderId)", visitors.owner, as: "/admin/orders/{id}")
    }

    // MARK: Requests

    /// Asks for a page twice, and counts the second time: then those of the catalogue are ready.
    private func get(_ path: String, _ token: String?, as title: String? = nil) async throws {
        try await send(.get, path, token, nil)
        _ = try await StatementCounts.show("GET \(title ?? path)") { try await send(.get, path, token, nil) }
    }

    /// - Returns: the address to which the form leads.
    @discardableResult
    private func post(
        _ path: String, _ token: String, _ fields: [(name: String, value: String)]
    ) async throws -> String {
        let body = ByteBuffer(string: visitors.ticket.encoded(fields))
        return try await StatementCounts.show("POST \(path)") { try await send(.post, path, token, body) }
    }

    /// - Returns: the address to which the answer leads; empty if it is a page itself.
    @discardableResult
    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ token: String?, _ body: ByteBuffer?
    ) async throws -> String {
        var headers: HTTPFields = [:]
        for (name, value) in FormTicket.headers where body != nil || name != "Content-Type" {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        headers[.cookie] = visitors.ticket.cookies(token: token)
        let answer = try await client.executeRequest(uri: path, method: method, headers: headers, body: body)
        let location = answer.headers[.location] ?? ""
        guard answer.status == (body == nil ? .ok : .seeOther), !location.contains("sign-in") else {
            throw BenchError("\(method) \(path): \(answer.status) \(location)\n\(String(buffer: answer.body))")
        }
        return location
    }
}
