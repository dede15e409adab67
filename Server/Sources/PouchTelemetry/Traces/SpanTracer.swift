import Synchronization

/// Creates spans, and adds those of sampled traces to a queue.
///
///     let span = SpanTracer(sampling: 0.1, queue: queue).startSpan("settling orders")
///     defer { span.end() }
///     try await TraceContext.$current.withValue(span.trace) { try await settle() }
///
/// The span of a request with a `traceparent` is a child of the caller's span, and recorded if that one is. Other
/// traces are recorded at random, and those of requests only up to a number per second: a busy server has more than
/// enough of them, and its collector should receive whole traces rather than what a full queue has not dropped.
public final class SpanTracer: Sendable {
    /// The maximum number of requests without a caller recorded per second.
    public static let maxRequests = 100

    private let sampling: Double
    private let queue: SpanQueue
    private let random = SpanRandom()
    private let second = Mutex((start: ContinuousClock.now, requests: 0))

    /// - Parameter sampling: the share of recorded traces among those without a caller, 0 to 1.
    public init(sampling: Double, queue: SpanQueue) {
        self.sampling = sampling
        self.queue = queue
    }

    /// Whether the current task runs within a recorded span, so that its steps need their own spans.
    public static var isRecording: Bool { TraceContext.current?.isSampled ?? false }

    /// Starts the span of a request.
    ///
    /// - Parameters:
    ///   - caller: the caller's span; nil for a request without `traceparent`.
    ///   - start: the time at which the request began.
    /// - Returns: nil for a request without a caller that is not recorded. Most requests are like that, and cost one
    ///   random number.
    public func startRequest(
        _ name: @autoclosure () -> String, caller: TraceContext?, at start: ContinuousClock.Instant
    ) -> RecordedSpan? {
        guard caller != nil || isSampled(at: start) else { return nil }
        return span(name(), .server, in: caller) { _ in true }
    }

    private func isSampled(at now: ContinuousClock.Instant) -> Bool {
        guard Double(random.next()) < sampling * 0x1p64 else { return false }
        return second.withLock { second in
            if now - second.start >= .seconds(1) { second = (now, 0) }
            second.requests += 1
            return second.requests <= Self.maxRequests
        }
    }

    /// Starts the span of a step.
    ///
    /// - Parameter parent: nil for the root of a trace.
    public func startSpan(
        _ name: String, _ kind: SpanKind = .work, in parent: TraceContext? = TraceContext.current
    ) -> RecordedSpan {
        span(name, kind, in: parent) { TraceContext.isSampled($0, ratio: sampling) }
    }

    private func span(
        _ name: String, _ kind: SpanKind, in parent: TraceContext?, samples: (_ traceId: String) -> Bool
    ) -> RecordedSpan {
        let traceId = parent?.traceId ?? random.id(digits: 32)
        let trace = TraceContext(
            traceId: traceId, spanId: random.id(digits: 16), isSampled: parent?.isSampled ?? samples(traceId))
        guard trace.isSampled else { return RecordedSpan(trace, nil, to: queue) }
        let span = FinishedSpan(
            trace: trace, parentId: parent?.spanId, name: FinishedSpan.short(name), kind: kind,
            startedAt: FinishedSpan.now)
        return RecordedSpan(trace, span, to: queue)
    }
}

/// Random numbers for span ids and the choice of traces, without a system call for each.
///
/// SplitMix64, from "Fast Splittable Pseudorandom Number Generators" (Steele, Lea and Flood, 2014), with a seed from
/// the system. The numbers are predictable, so they must not protect anything.
private final class SpanRandom: Sendable {
    private let state = Atomic(UInt64.random(in: .min ... .max))

    func next() -> UInt64 {
        var bits = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// - Parameter digits: 16 or 32.
    func id(digits: Int) -> String {
        String(unsafeUninitializedCapacity: digits) { digitBuffer in
            var place = 0
            while place < digits {
                // Never 0, which is an invalid id.
                var bits = max(1, next())
                for _ in 0..<16 {
                    let nibble = UInt8(truncatingIfNeeded: bits & 15)
                    digitBuffer[place] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
                    bits >>= 4
                    place += 1
                }
            }
            return digits
        }
    }
}
