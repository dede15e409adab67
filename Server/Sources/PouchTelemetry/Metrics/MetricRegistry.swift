import CoreMetrics
import Synchronization

/// The metrics of a server, which others create through swift-metrics, and which `text()` writes for Prometheus.
///
///     let registry = MetricRegistry([MetricDescription("pouch_mails_sent_total", "Mails that were sent.")])
///     let sent = Counter(label: "pouch_mails_sent_total", factory: registry)
///     registry.gauge("pouch_mails_waiting", "Mails that wait to be sent.") { Double(queue.count) }
///
/// Timers and recorders that aggregate are histograms. The number of series of a metric is limited: those beyond the
/// limit are counted together, with `other` for each of their labels.
public final class MetricRegistry: MetricsFactory {
    private let descriptions: [String: MetricDescription]
    private let seriesBound: Int
    private let families = Mutex<[String: Family]>([:])
    private let observers = Mutex<[MetricObserver]>([])
    private let failures: Counter

    private struct Family {
        let kind: MetricFamily.Kind
        var series: [[MetricLabel]: any MetricCell] = [:]
        /// The labels in the order of their creation.
        var labels: [[MetricLabel]] = []
    }

    /// - Parameter seriesBound: the maximum number of series of one metric.
    public init(_ descriptions: [MetricDescription] = [], seriesBound: Int = 2_000) {
        let known = descriptions + [.unreadMetrics]
        self.descriptions = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
        self.seriesBound = seriesBound
        let cell = CounterCell()
        failures = Counter(label: MetricDescription.unreadMetrics.name, dimensions: [], handler: cell)
        families.withLock { families in
            families[MetricDescription.unreadMetrics.name] = Family(
                kind: .counter, series: [[]: cell], labels: [[]])
        }
    }

    // MARK: Values that are read for each scrape

    /// Adds a gauge whose value is read for each scrape. The closure must not wait.
    public func gauge(
        _ name: String, _ help: String, labels: [MetricLabel] = [], _ read: @escaping @Sendable () -> Double
    ) {
        observe { [MetricFamily(name, help, .gauge, [.init(read(), labels: labels)])] }
    }

    /// Adds metrics that are read for each scrape, for example from a database. A read that fails or takes more than 2
    /// s omits them.
    public func observe(_ read: @escaping @Sendable () async throws -> [MetricFamily]) {
        observers.withLock { $0.append(MetricObserver(read)) }
    }

    // MARK: Output

    /// All metrics in Prometheus' text format.
    public func text() async -> String { MetricText.write(await read()) }

    /// All metrics, sorted by name.
    public func read() async -> [MetricFamily] {
        var found: [String: MetricFamily] = [:]
        await withTaskGroup(of: [MetricFamily]?.self) { group in
            for observer in observers.withLock({ $0 }) { group.addTask { await observer.read() } }
            for await observed in group {
                guard let observed else {
                    failures.increment()
                    continue
                }
                for family in observed {
                    if let known = found[family.name] {
                        // One name has one type.
                        if known.kind == family.kind { found[family.name]?.samples += family.samples }
                    } else {
                        found[family.name] = family
                    }
                }
            }
        }
        // After the observers, so that their failures are included in the counters.
        let own = families.withLock { $0 }
        for (name, family) in own {
            found[name] = MetricFamily(
                name, descriptions[name]?.help ?? "A metric without a description.", family.kind,
                family.labels.flatMap { family.series[$0]?.samples($0) ?? [] })
        }
        return found.values.sorted { $0.name < $1.name }
    }

    // MARK: MetricsFactory

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions, .counter) { CounterCell() }
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        cell(label, dimensions, .counter) { GaugeCell() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gaugeCell(label, dimensions)
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate ? histogramCell(label, dimensions, scale: 1) : gaugeCell(label, dimensions)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogramCell(label, dimensions, scale: 1e-9)
    }

    /// Metrics stay until the process ends, since a counter that starts again would look like a restart.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func gaugeCell(_ name: String, _ dimensions: [(String, String)]) -> GaugeCell {
        cell(name, dimensions, .gauge) { GaugeCell() }
    }

    private func histogramCell(_ name: String, _ dimensions: [(String, String)], scale: Double) -> HistogramCell {
        let bounds = descriptions[name.metricName]?.bounds ?? (scale == 1 ? .numbers : .seconds)
        return cell(name, dimensions, .histogram) { HistogramCell(bounds: bounds, scale: scale) }
    }

    /// - Returns: a cell that is never read if the name belongs to a metric of another kind, whose first use counts.
    private func cell<Cell: MetricCell>(
        _ name: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind, _ make: () -> Cell
    ) -> Cell {
        let name = name.metricName
        var labels = dimensions.map { MetricLabel($0.0, $0.1) }
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            guard family.kind == kind else { return make() }
            if let cell = family.series[labels] { return cell as? Cell ?? make() }
            if family.series.count >= seriesBound {
                labels = labels.map { MetricLabel($0.name, "other") }
                if let cell = family.series[labels] { return cell as? Cell ?? make() }
            }
            let cell = make()
            family.series[labels] = cell
            family.labels.append(labels)
            families[name] = family
            return cell
        }
    }
}
