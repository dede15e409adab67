import CoreMetrics
import Synchronization

/// The values of one series of a metric.
protocol MetricCell: Sendable {
    func samples(_ labels: [MetricLabel]) -> [MetricFamily.Sample]
}

/// The count of a counter.
final class CounterCell: CounterHandler, MetricCell {
    private let count = Atomic<Int64>(0)

    func samples(_ labels: [MetricLabel]) -> [MetricFamily.Sample] {
        [.init(Double(count.load(ordering: .relaxed)), labels: labels)]
    }

    func increment(by amount: Int64) {
        // A counter never decreases.
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// The value of a gauge, or of a counter of fractions.
final class GaugeCell: MeterHandler, RecorderHandler, FloatingPointCounterHandler, MetricCell {
    private let bits = Atomic<UInt64>(0)

    func samples(_ labels: [MetricLabel]) -> [MetricFamily.Sample] {
        [.init(Double(bitPattern: bits.load(ordering: .relaxed)), labels: labels)]
    }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func reset() { set(0.0) }

    func increment(by amount: Double) {
        var known = bits.load(ordering: .relaxed)
        while true {
            let next = (Double(bitPattern: known) + amount).bitPattern
            let (isDone, found) = bits.compareExchange(expected: known, desired: next, ordering: .relaxed)
            if isDone { return }
            known = found
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }
}

/// The counts of a histogram. Recording takes two atomic additions, and neither a lock nor memory allocation.
///
/// `@unchecked Sendable`: the pointer never changes, and its elements are atomic.
final class HistogramCell: TimerHandler, RecorderHandler, MetricCell, @unchecked Sendable {
    private let bounds: [Int64]
    private let scale: Double
    /// One count for each bound, and one for values above all of them.
    private let counts: UnsafeMutablePointer<Atomic<Int>>
    private let sum = Atomic<Int64>(0)

    /// - Parameter scale: the size of one recorded unit; bounds and values are rounded to it.
    init(bounds: [Double], scale: Double) {
        self.bounds = bounds.map { Int64(($0 / scale).rounded()) }
        self.scale = scale
        counts = .allocate(capacity: bounds.count + 1)
        for place in 0...bounds.count { (counts + place).initialize(to: Atomic(0)) }
    }

    deinit {
        counts.deinitialize(count: bounds.count + 1)
        counts.deallocate()
    }

    func recordNanoseconds(_ duration: Int64) { record(duration) }

    func record(_ value: Int64) {
        var place = 0
        while place < bounds.count, value > bounds[place] { place += 1 }
        counts[place].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(max(0, value), ordering: .relaxed)
    }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        record(Int64(exactly: (value / scale).rounded()) ?? .max >> 16)
    }

    func samples(_ labels: [MetricLabel]) -> [MetricFamily.Sample] {
        MetricFamily.histogramSamples(
            bounds: bounds.map { Double($0) * scale }.map(Self.short),
            counts: (0...bounds.count).map { counts[$0].load(ordering: .relaxed) },
            sum: Double(sum.load(ordering: .relaxed)) * scale, labels: labels)
    }

    /// The number without digits that come from the binary form: 0.001 instead of 0.0010000000000000002.
    private static func short(_ bound: Double) -> Double { (bound * 1e9).rounded() / 1e9 }
}
