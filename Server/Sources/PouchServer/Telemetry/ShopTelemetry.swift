import CoreMetrics
import Foundation
import Logging
import PouchDomain
import PouchHTTP
import PouchTelemetry
import PouchStorage

/// The metrics and traces of one server.
///
/// Another part adds a gauge with one line, and gets counters and timers from the registry through swift-metrics:
///
///     telemetry.registry?.gauge("pouch_mails_waiting", "Mails that wait to be sent.") { Double(queue.count) }
///     let sent = Counter(label: "pouch_mails_sent_total", factory: telemetry.metrics)
public struct ShopTelemetry: Sendable {
    /// nil for a server without metrics.
    public let registry: MetricRegistry?
    /// nil for a server without traces.
    public let tracer: SpanTracer?
    let spans: SpanQueue
    private let configuration: ServerConfiguration.Telemetry

    init(_ configuration: ServerConfiguration.Telemetry) {
        self.configuration = configuration
        registry = configuration.metrics.map { _ in
            MetricRegistry(MetricDescription.requests + MetricDescription.shop)
        }
        spans = SpanQueue()
        tracer = configuration.traces.map { [spans] _ in
            SpanTracer(sampling: configuration.traceSampling, queue: spans)
        }
    }

    /// Creates counters and timers; without metrics, ones that do nothing.
    public var metrics: any MetricsFactory { registry ?? NOOPMetricsHandler.instance }

    var requests: RequestTelemetry {
        RequestTelemetry(metrics: metrics, tracer: tracer, logsEachRequest: configuration.logsEachRequest)
    }

    var background: BackgroundWatch { BackgroundWatch(metrics: metrics, tracer: tracer) }

    /// The database as the services use it.
    func watched(_ database: any Database) -> any Database {
        guard registry != nil || tracer != nil else { return database }
        if let sqlite = database as? SQLiteDatabase {
            registry?.observe { [commits = sqlite.commits] in MetricFamily.commits(commits) }
        }
        return WatchedDatabase(database, metrics: metrics, tracer: tracer)
    }

    /// Adds the queues of the password hasher.
    func observe(_ passwords: ScryptPasswordHasher) {
        let help = "Passwords being hashed or waiting to be hashed: urgent ones for sign-ins, and others."
        let threads = passwords.threads
        for (name, urgency) in [("urgent", FairThreadPool.Urgency.urgent), ("ordinary", .ordinary)] {
            registry?.gauge("pouch_passwords_waiting", help, labels: [MetricLabel("urgency", name)]) {
                Double(threads.count(urgency))
            }
        }
    }

    /// nil unless metrics are served.
    func server(logger: Logger) -> MetricsServer? {
        guard let registry, let address = configuration.metrics else { return nil }
        return MetricsServer(registry, on: address, logger: logger)
    }

    /// nil unless spans are sent.
    func exporter(instance: String, logger: Logger) -> SpanExporter? {
        guard let collector = configuration.traces else { return nil }
        registry?.observe { [spans] in
            [
                MetricFamily("pouch_spans_waiting", "Spans waiting to be sent.", .gauge, value: Double(spans.count)),
                MetricFamily(
                    "pouch_spans_dropped_total", "Spans dropped because too many were waiting.", .counter,
                    value: Double(spans.dropped)),
            ]
        }
        return SpanExporter(to: collector.url, of: spans, instance: instance, metrics: metrics, logger: logger)
    }
}

extension ServerConfiguration {
    /// The settings of metrics, traces and the log of requests.
    public struct Telemetry: Sendable {
        /// An address to listen on.
        public struct Address: Sendable, Equatable {
            public let host: String
            /// 0 lets the system choose.
            public let port: Int

            public init(host: String = "127.0.0.1", port: Int) {
                self.host = host
                self.port = port
            }
        }

        /// The default share of recorded traces, of those without a caller.
        public static let usualSampling = 0.1

        /// The address of the metrics; nil for none.
        public var metrics: Address?
        /// Called with the port of the metrics once they are served, before the shop is.
        public var onMetricsListening: @Sendable (Int) -> Void = { _ in }
        /// The collector of traces, without `/v1/traces`; nil for none.
        public var traces: PeerAddress?
        /// From 0 to 1. A request with `traceparent` is recorded if its caller is.
        public var traceSampling = Telemetry.usualSampling
        /// Whether each request is logged, even if the log omits other entries of this level.
        public var logsEachRequest = false

        public init() {}
    }
}
