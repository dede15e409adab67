import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PouchDomain
import PouchEntities
import PouchStorage
import ServerTesting
import Synchronization

/// The receivers of a shop: one of webhooks in this process, and a folder of mails.
final class Outside: Sendable {
    private struct Received {
        /// The ids of the events, in the order in which each arrived first.
        var events: [String] = []
        var bodies: [String: Data] = [:]
        var repetitions = 0
        /// The events that came again with another body.
        var changed: Set<String> = []
    }

    private let received = Mutex(Received())
    private let mails: URL

    private init(mails: URL) { self.mails = mails }

    /// Receives webhooks during the body.
    ///
    /// - Parameters:
    ///   - folder: gets a folder with the mails.
    ///   - body: gets the address of the receiver, too.
    static func run<Value: Sendable>(
        in folder: URL, _ body: @escaping @Sendable (Outside, _ url: String) async throws -> Value
    ) async throws -> Value {
        let outside = Outside(mails: folder.appending(path: "mails"))
        let (ports, report) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: outside.router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { report.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "outside") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            group.addTask {
                guard let port = await ports.first(where: { _ in true }) else { return nil }
                return try await body(outside, "http://127.0.0.1:\(port)/hook")
            }
            defer { group.cancelAll() }
            while let ended = try await group.next() { if let ended { return ended } }
            throw CancellationError()
        }
    }

    private var router: Router<BasicRequestContext> {
        let router = Router()
        router.post("/hook") { request, _ in
            let bytes = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
            guard let id = HTTPField.Name("webhook-id").flatMap({ request.headers[$0] }) else {
                return HTTPResponse.Status.badRequest
            }
            self.receive(id, bytes)
            return .noContent
        }
        return router
    }

    private func receive(_ id: String, _ body: Data) {
        received.withLock { received in
            if let before = received.bodies.updateValue(body, forKey: id) {
                received.repetitions += 1
                if before != body { received.changed.insert(id) }
            } else {
                received.events.append(id)
            }
        }
    }

    /// The options with which servers write to it.
    var options: [String] {
        [
            "--allow-private-webhooks", "--mail", "folder:\(mails.path)", "--mail-from",
            "The Burrow <shop@example.com>", "--public-url", "https://shop.example.com",
        ]
    }

    /// Waits until nothing waits any more, within the bound, and compares what has arrived with the events.
    func violations(
        _ events: [EventRecord], _ orders: [OrderRecord], in database: any Database, within bound: Duration
    ) async throws -> [String] {
        // A server that was killed while it sent holds that mail for seven minutes, which pass here.
        try await database.write { _ = try $0.rows("UPDATE mails SET due_at = 0 WHERE due_at IS NOT NULL", []) }
        let end = ContinuousClock.now + bound
        while try await isWaiting(database), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        let books = DeliveryBooks(events, orders)
        let queued = try await database.read { try DeliveryBooks.Mail.all(in: $0) }
        let (arrived, changed) = received.withLock { ($0.events, $0.changed) }
        return books.violations(webhooks: arrived)
            + books.violations(mails: queued, arrived: arrivedMails)
            + changed.sorted().map { "the webhook of the event \($0) came again with another body" }
    }

    private func isWaiting(_ database: any Database) async throws -> Bool {
        let places = try await ShopDatabase(database, currency: .eur).read { repositories in
            (all: try repositories.events.places(), last: try repositories.events.lastPosition())
        }
        if ["webhooks", "mail"].contains(where: { (places.all[$0] ?? 0) < places.last }) { return true }
        return try await database.read { connection in
            try ["webhook_deliveries WHERE status = 'pending'", "mails WHERE due_at IS NOT NULL"].contains {
                try !connection.rows("SELECT 1 FROM \($0) LIMIT 1", []).isEmpty
            }
        }
    }

    /// For people to read.
    var summary: String {
        let (events, repetitions) = received.withLock { ($0.events.count, $0.repetitions) }
        return "webhooks: \(events), \(repetitions) of them again; mails: \(arrivedMails.count)"
    }

    /// The ids of the mails, after which the files are named.
    private var arrivedMails: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: mails.path)) ?? []
        return Set(names.filter { $0.hasSuffix(".eml") }.map { String($0.dropLast(4)) })
    }
}
