import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PouchWeb
import ShopBenching

/// Counts the transactions and SQL statements of pages and forms on a buyer's way, and of the administration.
struct PageStatements {
    private let client: any TestClientProtocol
    private let visitors: Visitors

    /// Sends the requests without a socket and prints the counts.
    static func show(_ running: RunningShop, _ visitors: Visitors) async throws {
        StatementCounts.showHead("Transactions and SQL statements of each page, and of each form with its redirect")
        let pages = WebPages(running.services, WebSettings(publicURL: running.url, theme: try WebTheme()))
        let (router, _, actions) = ShopRouter.build(running.services, refusals: pages.refusals)
        pages.add(to: router, actions: actions)
        try await Application(router: router, logger: .bench(.error)).test(.router) { client in
            try await PageStatements(client: client, visitors: visitors).walk(running)
        }
        say("")
    }

    private func walk(_ running: RunningShop) async throws {
        for path in ["/", "/products", "/product/\(Visitors.product)"] { try await get(path, nil) }
        let buyer = try await running.token(of: visitors.newcomer)
        try await post("/cart/lines", buyer, [("key", "first"), ("sku", Visitors.sku), ("quantity:int", "1")])
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

/// Prints the bytes of pages, of the stylesheet and of the scripts, as they are and compressed. The server itself does not
/// compress.
struct PageSizes {
    let running: RunningShop
    let visitors: Visitors

    func show() async throws {
        say("\nBytes, raw and by gzip\n")
        sayRow("", 34, ["raw", "gzip"], 12)
        let cart = visitors.browser(visitors.shopper, units: Visitors.units)
        let owner = visitors.browser(visitors.owner)
        let pages: [(path: String, headers: [String])] = [
            ("/", Visitors.browser), ("/products", Visitors.browser),
            ("/product/\(Visitors.product)", Visitors.browser), ("/cart", cart), ("/checkout", cart),
            ("/orders/\(visitors.orderId)", visitors.browser(visitors.buyer)), ("/sign-in", Visitors.browser),
            ("/account", visitors.browser(visitors.member)), ("/admin", owner), ("/admin/orders", owner),
            ("/admin/products", owner),
        ]
        var files: [String] = []
        for (path, headers) in pages {
            let page = try await show(path == "/orders/\(visitors.orderId)" ? "/orders/{id}" : path, path, headers)
            files += page.matches(of: #/\/web\/[A-Za-z0-9._-]+/#).map { String($0.0) }.filter { !files.contains($0) }
        }
        for file in Set(files).sorted() { try await show(file, file, []) }
        say("")
    }

    @discardableResult
    private func show(_ title: String, _ path: String, _ headers: [String]) async throws -> String {
        let file = running.folder.appending(path: "page")
        _ = try await Program.curl(running.url + path, ["-f", "-o", file.path], headers: headers)
        let page = try Data(contentsOf: file)
        let compressed = try await Program.run("/bin/sh", ["-c", "gzip -c <\"$0\" | wc -c", file.path])
        sayRow(title, 34, ["\(page.count)", compressed.trimmingCharacters(in: .whitespacesAndNewlines)], 12)
        return String(decoding: page, as: UTF8.self)
    }
}
