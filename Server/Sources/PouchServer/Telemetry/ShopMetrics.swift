import CoreMetrics
import Foundation
import PouchDomain
import PouchHTTP
import PouchStorage
import PouchTelemetry
import Synchronization

extension MetricDescription {
    /// The metrics of a server, except those of requests.
    static let shop = [
        MetricDescription(
            "pouch_database_transactions_total",
            "Transactions by kind and outcome. Failed ones include those that the shop's rules refused."),
        MetricDescription("pouch_database_transaction_duration_seconds", "Duration of transactions, with waiting."),
        MetricDescription(
            "pouch_database_wait_duration_seconds", "Time that transactions waited for the writer or a connection."),
        MetricDescription("pouch_database_waiting", "Transactions waiting for the writer or a connection."),
        MetricDescription("pouch_database_running", "Running transactions: the readers or connections in use."),
        MetricDescription("pouch_payment_calls_total", "Calls to the payment provider by operation and outcome."),
        MetricDescription("pouch_payment_duration_seconds", "Duration of calls to the payment provider."),
        MetricDescription("pouch_background_runs_total", "Runs of background work by outcome."),
        MetricDescription("pouch_background_duration_seconds", "Duration of runs of background work."),
        MetricDescription("pouch_orders_settled_total", "Unfinished payments and refunds that were settled."),
        MetricDescription("pouch_spans_sent_total", "Spans that the collector accepted."),
        MetricDescription("pouch_spans_refused_total", "Spans that the collector refused."),
    ]
}

extension MetricFamily {
    /// The commits of SQLite, and the number of transactions that each made durable.
    static func commits(_ commits: CommitSizes) -> [MetricFamily] {
        let sizes = commits.all
        let bounds = [1, 2, 4, 8, 16, 32, 64, 128]
        var counts: [Int] = []
        var lower = 0
        for bound in bounds {
            counts.append(sizes.indices.filter { $0 >= lower && $0 <= bound }.reduce(0) { $0 + sizes[$1] })
            lower = bound + 1
        }
        counts.append(sizes.dropFirst(lower).reduce(0, +))
        return [
            .histogram(
                "pouch_database_commit_transactions", "Transactions in one SQLite commit.",
                bounds: bounds.map(Double.init), counts: counts,
                sum: Double(sizes.enumerated().reduce(0) { $0 + $1.offset * $1.element }))
        ]
    }
}

extension ShopTelemetry {
    /// Adds the metrics that each scrape reads from the database.
    ///
    /// - Parameter consumers: the names of the event consumers.
    func observe(_ store: ShopDatabase, consumers: [String], time: any TimeSource) async throws {
        guard let registry else { return }
        let events = EventCounts(store, after: try await store.read { try $0.events.lastPosition() })
        registry.observe {
            let readings = try await store.read { try $0.readings(consumers: consumers) }
            return readings.families(at: time.now) + [try await events.family(through: readings.lastEvent)]
        }
        registry.observe { [start = Date()] in ProcessMetrics.read(since: start) }
    }
}

/// The shop's events by type since this server started, including those of other servers.
private actor EventCounts {
    /// The maximum number of events in one reading; later ones follow in the next reading.
    private static let step: Int64 = 100_000

    private let store: ShopDatabase
    private var place: Int64
    private var counts: [String: Int] = [:]

    init(_ store: ShopDatabase, after place: Int64) {
        self.store = store
        self.place = place
    }

    func family(through last: Int64) async throws -> MetricFamily {
        let after = place
        let end = min(last, after + Self.step)
        if end > after {
            let found = try await store.read { try $0.eventCounts(after: after, through: end) }
            // Another reading may have counted them in the meantime.
            if place == after {
                counts.merge(found) { $0 + $1 }
                place = end
            }
        }
        return MetricFamily(
            "pouch_events_total",
            "Events of the shop by type since this server started, such as order.paid; for all its servers.",
            .counter,
            counts.sorted { $0.key < $1.key }.map {
                .init(Double($0.value), labels: [MetricLabel("type", $0.key)])
            })
    }
}

extension ShopReadings {
    fileprivate func families(at now: Date) -> [MetricFamily] {
        func gauge(_ name: String, _ help: String, _ values: [(String, String, Double)]) -> MetricFamily {
            MetricFamily(name, help, .gauge, values.map { .init($0.2, labels: [MetricLabel($0.0, $0.1)]) })
        }
        func age(_ date: Date?) -> Double { date.map { max(0, now.timeIntervalSince($0)) } ?? 0 }
        let bound = "at most \(ShopReadings.bound)"
        return [
            gauge(
                "pouch_orders_open", "Orders that are pending (not settled) or paid (not sent), by status; \(bound).",
                [("status", "pending", Double(pendingOrders)), ("status", "paid", Double(paidOrders))]),
            MetricFamily(
                "pouch_orders_pending_age_seconds", "Age of the oldest order that is not settled.", .gauge,
                value: age(oldestPendingOrder)),
            MetricFamily(
                "pouch_refunds_pending", "Pending refunds; \(bound).", .gauge,
                value: Double(pendingRefunds)),
            MetricFamily(
                "pouch_imports_waiting", "Unfinished imports; \(bound).", .gauge,
                value: Double(unfinishedImports)),
            gauge(
                "pouch_rides_active", "Active rides by status; \(bound).",
                activeRides.sorted { $0.key < $1.key }.map { ("status", $0.key, Double($0.value)) }),
            MetricFamily(
                "pouch_events_last_position", "Position of the latest event.", .gauge, value: Double(lastEvent)),
            gauge(
                "pouch_events_behind", "Positions by which an event consumer is behind.",
                eventPlaces.sorted { $0.key < $1.key }.map {
                    ("consumer", $0.key, Double(max(0, lastEvent - $0.value)))
                }),
            MetricFamily(
                "pouch_events_waiting_age_seconds", "Age of the oldest event that a consumer has not processed.",
                .gauge, value: age(oldestWaitingEvent)),
        ]
    }
}

/// The processor time, memory and files of this process, under the names used by Prometheus' own libraries.
struct ProcessMetrics {
    /// - Parameter start: the start of the server.
    static func read(since start: Date) -> [MetricFamily] {
        var families = [
            MetricFamily(
                "process_cpu_seconds_total", "User and system processor time of the server.", .counter,
                // In microseconds on every POSIX system.
                value: Double(clock()) / 1e6),
            MetricFamily(
                "process_start_time_seconds", "Start time of the server, in seconds since 1970.", .gauge,
                value: start.timeIntervalSince1970),
        ]
        if let bytes = residentBytes {
            families.append(
                MetricFamily(
                    "process_resident_memory_bytes", "Resident memory of the server.", .gauge,
                    value: bytes))
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            families.append(
                MetricFamily(
                    "process_open_fds", "Open files and connections of the server.", .gauge,
                    value: Double(files.count)))
        }
        return families
    }

    /// nil if the system does not report it like Linux.
    private static var residentBytes: Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return pages.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
