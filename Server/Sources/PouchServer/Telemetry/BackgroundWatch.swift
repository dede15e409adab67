import CoreMetrics
import Metrics
import PouchTelemetry

/// Measures and traces background work. Each run is the root of its own trace.
struct BackgroundWatch: Sendable {
    var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    var tracer: SpanTracer?

    /// - Parameter name: the kind of work, such as "settling orders".
    func run<Value: Sendable>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        let span = tracer?.startSpan(name, in: nil)
        defer { span?.end() }
        do {
            let value = try await TraceContext.$current.withValue(span?.trace) { try await work() }
            note(name, "done", start)
            return value
        } catch {
            span?.fail(error)
            if !Task.isCancelled { note(name, "failed", start) }
            throw error
        }
    }

    private func note(_ name: String, _ outcome: String, _ start: ContinuousClock.Instant) {
        Counter(
            label: "pouch_background_runs_total", dimensions: [("work", name), ("outcome", outcome)], factory: metrics
        ).increment()
        CoreMetrics.Timer(
            label: "pouch_background_duration_seconds", dimensions: [("work", name)], factory: metrics
        ).record(duration: ContinuousClock.now - start)
    }
}
