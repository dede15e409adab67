import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import PouchTelemetry
import PouchWire
import Synchronization

/// The destinations of metrics, traces and log lines about requests.
public struct RequestTelemetry: Sendable {
    public let metrics: any MetricsFactory
    /// nil without traces.
    public let tracer: SpanTracer?
    /// Whether each request is logged, even if the log omits other entries of this level.
    public let logsEachRequest: Bool

    public init(
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: SpanTracer? = nil,
        logsEachRequest: Bool = false
    ) {
        self.metrics = metrics
        self.tracer = tracer
        self.logsEachRequest = logsEachRequest
    }
}

extension MetricDescription {
    /// The metrics of this module.
    public static let requests = [
        MetricDescription(
            "pouch_http_requests_total",
            "Answered requests by route and status. A route is the name of an endpoint in the contract, the method and path "
                + "of a page, such as “GET /product/{handle}”, or “unknown”."
        ),
        MetricDescription(
            "pouch_http_request_duration_seconds",
            "The time from the head of a request to the head of its answer, by route."),
        MetricDescription("pouch_http_requests_active", "Requests being answered."),
        MetricDescription(
            "pouch_catalog_answers_total",
            "Catalogue answers by source: ready in the lane or the cache, or encoded for the request."
        ),
        MetricDescription("pouch_catalog_cache_bytes", "Memory used by ready catalogue answers."),
    ]
}

/// The metrics of all routes, created on first use.
final class RequestMeters: Sendable {
    private struct Key: Hashable {
        let method: HTTPRequest.Method
        let path: String
    }

    private let names: [Key: String]
    private let meters = Mutex<[String: EndpointMeter]>([:])
    private let factory: any MetricsFactory
    let active: Meter

    init(_ factory: any MetricsFactory, endpoints: [Endpoint]) {
        self.factory = factory
        active = Meter(label: "pouch_http_requests_active", factory: factory)
        var names: [Key: String] = [:]
        for endpoint in endpoints {
            guard let method = HTTPRequest.Method(rawValue: endpoint.method.rawValue) else { continue }
            names[Key(method: method, path: RouterPath(endpoint.template).description)] = endpoint.name
        }
        self.names = names
    }

    /// The name of the endpoint in the contract, or for any other route, such as that of a page, its method and path
    /// with the names of its parameters. There are no more names than routes.
    ///
    /// - Parameter path: the registered path of the route that answers; nil if there is none.
    func name(_ method: HTTPRequest.Method, _ path: String?) -> String {
        guard let path else { return "unknown" }
        // The framework answers HEAD with the handler of GET.
        let key = Key(method: method == .head ? .get : method, path: path)
        return names[key] ?? "\(key.method.rawValue) \(path)"
    }

    /// - Parameter route: see `name`.
    subscript(route: String) -> EndpointMeter {
        meters.withLock { meters in
            if let meter = meters[route] { return meter }
            let meter = EndpointMeter(route, factory)
            meters[route] = meter
            return meter
        }
    }
}

/// The metrics of the requests for one endpoint.
final class EndpointMeter: Sendable {
    private let endpoint: String
    private let factory: any MetricsFactory
    private let durations: CoreMetrics.Timer
    private let counters = Mutex<[Int: Counter]>([:])

    init(_ endpoint: String, _ factory: any MetricsFactory) {
        self.endpoint = endpoint
        self.factory = factory
        durations = CoreMetrics.Timer(
            label: "pouch_http_request_duration_seconds", dimensions: [("route", endpoint)], factory: factory)
    }

    func count(_ status: Int, _ duration: Duration) {
        counter(status).increment()
        durations.record(duration: duration)
    }

    /// The counters of an endpoint with ready answers, looked up once so that no answer has to find them.
    var ready: ReadyMeter {
        ReadyMeter(endpoint: endpoint, ok: counter(200), notModified: counter(304), durations: durations)
    }

    private func counter(_ status: Int) -> Counter {
        counters.withLock { counters in
            if let counter = counters[status] { return counter }
            let counter = Counter(
                label: "pouch_http_requests_total", dimensions: [("route", endpoint), ("status", String(status))],
                factory: factory)
            counters[status] = counter
            return counter
        }
    }
}

/// The metrics of ready answers. Counting takes three atomic additions, and neither a lock nor memory allocation.
struct ReadyMeter: Sendable {
    let endpoint: String
    fileprivate let ok: Counter
    fileprivate let notModified: Counter
    fileprivate let durations: CoreMetrics.Timer

    func count(isKnown: Bool, nanoseconds: Int64) {
        (isKnown ? notModified : ok).increment()
        durations.recordNanoseconds(nanoseconds)
    }
}
