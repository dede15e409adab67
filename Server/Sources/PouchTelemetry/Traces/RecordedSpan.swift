import Synchronization

/// A span that is sent once it has ended. A span of a trace that is not sampled keeps only its place in the trace.
public final class RecordedSpan: Sendable {
    public let trace: TraceContext
    private let queue: SpanQueue
    /// nil for a span that is not recorded, and once it has ended.
    private let state: Mutex<FinishedSpan?>

    init(_ trace: TraceContext, _ span: FinishedSpan?, to queue: SpanQueue) {
        self.trace = trace
        self.queue = queue
        state = Mutex(span)
    }

    public var isRecording: Bool { state.withLock { $0 != nil } }

    /// Adds an attribute, whose text is limited.
    public func add(_ key: String, _ text: String) { append(key, .text(FinishedSpan.short(text))) }

    /// Adds an attribute.
    public func add(_ key: String, _ number: Int) { append(key, .integer(number)) }

    private func append(_ key: String, _ value: FinishedSpan.Value) {
        state.withLock { _ = $0?.attributes.append(.init(key: key, value: value)) }
    }

    /// Marks the span as failed.
    ///
    /// - Parameter error: the cause. Only its type is recorded, since its texts may contain what the caller sent.
    public func fail(_ error: (any Error)? = nil) {
        guard isRecording else { return }
        let exception = error.map {
            FinishedSpan.Exception(type: String(reflecting: type(of: $0)), time: FinishedSpan.now)
        }
        state.withLock { state in
            state?.isError = true
            if let exception { state?.exception = exception }
        }
    }

    public func end() {
        guard var span = state.withLock({ $0.take() }) else { return }
        span.endedAt = max(span.startedAt, FinishedSpan.now)
        queue.add(span)
    }
}
