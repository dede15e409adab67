import Benchmarking
import PouchAsyncHTTPClient
import PouchClient

/// Measures a thousand shoppers in one process, each with its own session and managers, over one transport, against a
/// real server.
///
/// The main thread is blocked while they shop, so that a hop to the main actor would never return.
struct ThousandShoppers {
    static let shoppers = 1_000
    static let atOnce = 64

    /// The folder of this program and of pouch-server.
    let folder: URL

    func show() async throws {
        try await withTemporaryFolder { data in
            let server = folder.appending(path: "pouch-server").path
            let feed = data.appending(path: "feed.csv")
            try Self.feed.write(to: feed, atomically: true, encoding: .utf8)
            let database = ["--database", "sqlite:" + data.appending(path: "shop.sqlite").path]
            _ = try await Program.run(server, ["import", "--format", "shopify-csv", feed.path] + database)
            let options = ["--port", "0", "--new-sessions", "0", "--log-level", "error"]
            try await ServerProcess.running(server, ["serve"] + options + database) { process in
                say("\n\(Self.shoppers) shoppers in one process, \(Self.atOnce) of them busy at a time\n")
                sayRow("", 20, ["calls", "calls/s", "KB each", "orders"], 12)
                for (name, _) in Self.transports {
                    // A new process does not reuse memory of the others.
                    let figures = try await Program.run(Program.own, ["shoppers", name, process.url.absoluteString])
                    say(figures.trimmingCharacters(in: .newlines))
                }
            }
        }
    }

    private static let transports: [(name: String, make: @Sendable () throws -> any Transport)] = [
        ("standard", { StandardTransport() }), ("AsyncHTTPClient", { try AsyncHTTPClientTransport() }),
        ("URLSession", { URLSessionTransport() }),
    ]

    static func run(_ name: String, at server: URL) async throws {
        guard let transport = transports.first(where: { $0.name == name }) else { throw BenchError("no \(name)") }
        let held = DispatchSemaphore(value: 0)
        Task { @MainActor in held.wait() }
        defer { held.signal() }
        try await show(name, server, try transport.make())
    }

    private static func show(_ name: String, _ server: URL, _ transport: any Transport) async throws {
        // The transport and the decoder allocate once; that memory belongs to no shopper.
        _ = try await shop(Pouch(server: server, transport: transport))
        let memory = ProcessMemory()
        let before = try memory.kilobytes
        let clients = (0..<shoppers).map { _ in Pouch(server: server, transport: transport) }
        let start = ContinuousClock.now
        let calls = try await withThrowingTaskGroup(of: Int.self) { group in
            var waiting = clients.makeIterator()
            func startNext() {
                guard let client = waiting.next() else { return }
                group.addTask { try await shop(client) }
            }
            for _ in 0..<atOnce { startNext() }
            var calls = 0
            while let made = try await group.next() {
                calls += made
                startNext()
            }
            return calls
        }
        let perSecond = Int(Double(calls) / start.elapsedSeconds)
        let each = Double(try memory.kilobytes - before) / Double(shoppers)
        sayRow(name, 20, ["\(calls)", "\(perSecond)", each.text(1), "\(clients.count)"], 12)
    }

    /// Buys something, and returns the number of calls to the server.
    private static func shop(_ pouch: Pouch) async throws -> Int {
        let page = try await pouch.catalog.products(ProductQuery(limit: 10))
        guard let sku = page.items.first?.variants.first?.sku else { throw BenchError("the shop has no products") }
        try await pouch.cart.add(sku: sku)
        try await pouch.cart.set(sku: sku, quantity: 2)
        let address = Address(
            name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")
        let cart = try await pouch.cart.setShipping(methodId: "standard", to: address)
        let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: "ann@example.com")
        guard order.status == .paid else { throw BenchError("an order is \(order.status) instead of paid") }
        // Five of these calls, and one for the guest's session.
        return 6
    }

    private static let feed =
        "Handle,Title,Type,Variant SKU,Variant Inventory Qty,Variant Price\n"
        + (0..<50).map { "cap-\($0),Cap \($0),Hats,cap-\($0),100000,10.00\n" }.joined()
}
