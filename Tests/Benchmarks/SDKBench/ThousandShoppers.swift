import Benchmarking
import Foundation
import PouchAsyncHTTPClient
import PouchClient

/// A thousand shoppers in one process, each with a session and managers of its own, over one transport, against a real
/// server. The main thread is held meanwhile, so that a hop to the main actor would never return.
struct ThousandShoppers {
    static let shoppers = 1_000
    static let atOnce = 64

    /// The programs that were built beside this one.
    let folder: URL

    func show() async throws {
        let data = FileManager.default.temporaryDirectory.appending(path: "pouch-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: data) }
        let server = folder.appending(path: "pouch-server").path
        let feed = data.appending(path: "feed.csv")
        try Self.feed.write(to: feed, atomically: true, encoding: .utf8)
        let database = ["--database", "sqlite:" + data.appending(path: "shop.sqlite").path]
        _ = try await Program.run(server, ["import", "--format", "shopify-csv", feed.path] + database)
        try await ServerProcess.running(server, ["serve", "--port", "0", "--log-level", "error"] + database) { url in
            say("\n\(Self.shoppers) shoppers in one process, \(Self.atOnce) of them busy at a time\n")
            say("".padded(20) + ["calls", "calls/s", "KB each", "orders"].map { $0.leftPadded(12) }.joined())
            for transport in Kind.allCases {
                // A process of its own, so that no memory is reused that others have left.
                let figures = try await Program.run(
                    CommandLine.arguments[0], ["shoppers", transport.rawValue, url.absoluteString])
                say(figures.trimmingCharacters(in: .newlines))
            }
        }
    }

    enum Kind: String, CaseIterable {
        case asyncHTTPClient = "AsyncHTTPClient"
        case urlSession = "URLSession"
    }

    static func run(_ kind: Kind, at server: URL) async throws {
        let held = DispatchSemaphore(value: 0)
        Task { @MainActor in held.wait() }
        defer { held.signal() }
        switch kind {
        case .asyncHTTPClient: try await show(kind.rawValue, server, try AsyncHTTPClientTransport())
        case .urlSession: try await show(kind.rawValue, server, URLSessionTransport())
        }
    }

    private static func show(_ name: String, _ server: URL, _ transport: any Transport) async throws {
        // What transport and decoder take once is not a shopper's.
        _ = try await shop(Pouch(server: server, transport: transport))
        let before = try residentKilobytes()
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
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let each = Double(try residentKilobytes() - before) / Double(shoppers)
        let figures = [
            String(calls), String(Int(Double(calls) / seconds)), String(format: "%.1f", each), "\(clients.count)",
        ]
        say(name.padded(20) + figures.map { $0.leftPadded(12) }.joined())
    }

    /// - Returns: how many calls that took.
    private static func shop(_ pouch: Pouch) async throws -> Int {
        let page = try await pouch.catalog.products(ProductQuery(limit: 10))
        guard let sku = page.items.first?.variants.first?.sku else { throw BenchError("there are no products") }
        try await pouch.cart.add(sku: sku)
        try await pouch.cart.set(sku: sku, quantity: 2)
        let address = Address(
            name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")
        let cart = try await pouch.cart.setShipping(methodId: "standard", to: address)
        let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: "ann@example.com")
        guard order.status == .paid else { throw BenchError("an order is \(order.status)") }
        // And the guest's session.
        return 6
    }

    private static func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let kilobytes = status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap({ Int($0.1) }) else {
            throw BenchError("the memory of this process is not known")
        }
        return kilobytes
    }

    private static let feed =
        "Handle,Title,Type,Variant SKU,Variant Inventory Qty,Variant Price\n"
        + (0..<50).map { "cap-\($0),Cap \($0),Hats,cap-\($0),100000,10.00\n" }.joined()
}
