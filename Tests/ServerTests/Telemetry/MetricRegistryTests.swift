import CoreMetrics
import Foundation
import PouchTelemetry
import Testing

@Suite("Metrics in Prometheus' text format", .timeLimit(.minutes(5)))
struct MetricRegistryTests {
    @Test func `Counters, gauges and histograms have their help, type and labels, sorted by name`() async throws {
        let registry = MetricRegistry([
            MetricDescription("mails_total", "Mails that \\ were\nsent."),
            MetricDescription("size", "Sizes.", bounds: [1, 10]),
        ])
        let mails = Counter(label: "mails_total", dimensions: [("to", "a\"b\\c\nd")], factory: registry)
        mails.increment(by: 3)
        mails.increment(by: -1)
        let sizes = Recorder(label: "size", dimensions: [("kind", "x")], aggregate: true, factory: registry)
        for size in [1, 2, 10, 11] { sizes.record(size) }
        registry.gauge("waiting", "Waiting.", labels: [MetricLabel("queue", "mail")]) { 1.5 }
        #expect(
            await registry.text() == #"""
                # HELP mails_total Mails that \\ were\nsent.
                # TYPE mails_total counter
                mails_total{to="a\"b\\c\nd"} 3
                # HELP pouch_metrics_unread_total Reads of metrics that failed or took too long, so that a scrape was incomplete.
                # TYPE pouch_metrics_unread_total counter
                pouch_metrics_unread_total 0
                # HELP size Sizes.
                # TYPE size histogram
                size_bucket{kind="x",le="1"} 1
                size_bucket{kind="x",le="10"} 3
                size_bucket{kind="x",le="+Inf"} 4
                size_sum{kind="x"} 24
                size_count{kind="x"} 4
                # HELP waiting Waiting.
                # TYPE waiting gauge
                waiting{queue="mail"} 1.5

                """#)
    }

    @Test func `A timer has buckets in seconds, whose bounds are inclusive`() async throws {
        let registry = MetricRegistry()
        let timer = CoreMetrics.Timer(label: "took.seconds", factory: registry)
        timer.recordNanoseconds(1_000_000)
        timer.recordNanoseconds(1_000_001)
        timer.recordNanoseconds(60_000_000_000)
        let found = try Exposition(await registry.text())
        #expect(found.types["took_seconds"] == "histogram")
        #expect(found.value("took_seconds_bucket", ["le": "0.0005"]) == 0)
        #expect(found.value("took_seconds_bucket", ["le": "0.001"]) == 1)
        #expect(found.value("took_seconds_bucket", ["le": "0.0025"]) == 2)
        #expect(found.value("took_seconds_bucket", ["le": "10"]) == 2)
        #expect(found.value("took_seconds_count") == 3)
        #expect(try abs(#require(found.value("took_seconds_sum")) - 60.002000001) < 1e-9)
    }

    @Test func `The series of a metric are bounded, and the rest is counted together`() async throws {
        let registry = MetricRegistry(seriesBound: 3)
        for number in 0..<10 {
            Counter(label: "seen_total", dimensions: [("who", "\(number)")], factory: registry).increment()
        }
        let found = try Exposition(await registry.text())
        #expect(found.values.keys.filter { $0.name == "seen_total" }.count == 4)
        #expect(found.sum("seen_total") == 10)
        #expect(found.value("seen_total", ["who": "other"]) == 7)
    }

    @Test func `A name keeps its first kind, and the same series is one counter`() async throws {
        let registry = MetricRegistry()
        for _ in 0..<2 { Counter(label: "a_total", factory: registry).increment() }
        Meter(label: "a_total", factory: registry).set(7)
        registry.gauge("b", "One.", labels: [MetricLabel("n", "1")]) { 1 }
        registry.gauge("b", "Two.", labels: [MetricLabel("n", "2")]) { 2 }
        let found = try Exposition(await registry.text())
        #expect(found.types["a_total"] == "counter" && found.value("a_total") == 2)
        #expect(found.value("b", ["n": "1"]) == 1 && found.value("b", ["n": "2"]) == 2)
    }

    @Test func `Concurrent increments are all counted`() async throws {
        let registry = MetricRegistry()
        let timer = CoreMetrics.Timer(label: "took_seconds", factory: registry)
        let level = Meter(label: "level", factory: registry)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        timer.recordNanoseconds(5_000)
                        level.increment()
                        level.decrement()
                    }
                }
            }
        }
        let found = try Exposition(await registry.text())
        #expect(found.value("took_seconds_count") == 8_000 && found.value("level") == 0)
        #expect(try abs(#require(found.value("took_seconds_sum")) - 0.04) < 1e-9)
    }

    @Test func `A read that fails or never ends leaves its metrics out, and is counted`() async throws {
        struct Broken: Error {}
        let registry = MetricRegistry()
        registry.gauge("fine", "Fine.") { 1 }
        registry.observe { throw Broken() }
        let (forever, end) = AsyncStream.makeStream(of: Void.self)
        registry.observe {
            for await _ in forever {}
            return [MetricFamily("late", "Late.", .gauge, value: 1)]
        }
        let found = try Exposition(await registry.text())
        end.finish()
        #expect(found.value("fine") == 1 && found.value("late") == nil)
        #expect(found.value("pouch_metrics_unread_total") == 2)
    }
}
