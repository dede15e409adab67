import HTTPTypes
import Hummingbird
import NIOCore
import ShopBenching
import Synchronization

/// Measures the delivery of events to a sink on this machine.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES.
@main
struct WebhookBench {
    private static let rounds = 5
    private static let events = 5_000
    private static let goal = 1_000.0

    static func main() async throws {
        readNoArguments(of: "Measures the delivery of events to a sink on this machine.")
        say(TestDatabase.name)
        try await withNewDatabase { database, folder in
            var configuration = ServerConfiguration(database: try database.address)
            configuration.dataFolder = folder
            configuration.allowsPrivateWebhooks = true
            try await deliver(configuration)
        }
    }

    /// Appends events and waits until the sink has all of them.
    private static func deliver(_ configuration: ServerConfiguration) async throws {
        let sink = Sink()
        try await sink.serving { url in
            try await withServer(configuration) { shop, _ in
                let (store, webhooks, log) = (shop.store, shop.services.webhooks, shop.environment.events)
                let hook = try await store.write {
                    try webhooks.add(url: url, types: [], description: nil, in: $0).webhook
                }
                var rates: [Double] = []
                for round in 0..<rounds {
                    let start = ContinuousClock.now
                    let expected = sink.count + events
                    for batch in 0..<(events / 50) {
                        try await store.write(.readCommitted) { repositories in
                            for number in 0..<50 {
                                try log.append(
                                    .orderPaid, of: "ord_\(round)_\(batch)_\(number)", EventData(order: .sample),
                                    in: repositories)
                            }
                        }
                    }
                    while sink.count < expected { try await Task.sleep(for: .milliseconds(1)) }
                    rates.append(Double(events) / start.elapsedSeconds)
                }
                guard sink.distinct == sink.count, sink.count == rounds * events else {
                    throw BenchError("\(sink.count) requests for \(sink.distinct) events")
                }
                _ = try await store.write { try webhooks.delete(id: hook.id, in: $0) }
                let texts = rates.map { "\(Int($0))" }.joined(separator: ", ")
                say("Events per second, from the transaction to the sink; \(rounds) rounds of \(events) events\n")
                sayRow("delivered", 20, ["\(Int(rates.median))"], 10, note: "  (\(texts))")
                say("\nGoal: \(Int(goal))\n")
            }
        }
    }
}

/// A server that takes webhooks and counts them.
private final class Sink: Sendable {
    private let taken = Mutex((count: 0, ids: Set<String>()))
    private let idField = HTTPField.Name("webhook-id")

    var count: Int { taken.withLock { $0.count } }
    /// The number of different events.
    var distinct: Int { taken.withLock { $0.ids.count } }

    /// Serves during the body, which gets the address.
    func serving(_ body: @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.post("/hook") { [self] request, _ in
            for try await _ in request.body {}
            let id = idField.flatMap { request.headers[$0] } ?? ""
            taken.withLock { taken in
                taken.count += 1
                taken.ids.insert(id)
            }
            return HTTPResponse.Status.noContent
        }
        try await withApplication(router, logger: .bench(.critical)) { try await body($0 + "/hook") }
    }
}

extension Order {
    /// An order of three lines, as most are.
    fileprivate static let sample: Order = {
        let (price, none) = (Money(2_590, .eur), Money(0, .eur))
        let lines = (0..<3).map { number in
            OrderLine(
                sku: "S\(number)", name: "Cardigan No. \(number)", options: ["Size": "M"], quantity: 1,
                unitPrice: price, lineTotal: price, discount: none, tax: none, refundedQuantity: 0)
        }
        return Order(
            id: "ord_bench", number: "P-10001", status: .paid, lines: lines,
            totals: Totals(items: price, discount: none, shipping: none, tax: none, total: price),
            payment: Payment(id: "pay_bench", status: .captured, amount: price, refunded: none), shipping: nil,
            email: "ann@example.com", createdAt: .distantPast, history: [Order.Event(status: .paid, at: .distantPast)])
    }()
}
