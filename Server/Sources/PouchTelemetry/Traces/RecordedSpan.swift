import Synchronization
import Tracing

/// A span that is sent once it has ended. A span of a trace that is not sampled keeps only its place in the trace.
///
/// The numbers of attributes and events and the lengths of texts are limited; what exceeds the limits is omitted.
public final class RecordedSpan: Span {
    private static let attributeBound = 32
    private static let eventBound = 8

    public let context: ServiceContext
    private let trace: TraceContext
    private let parentId: String?
    private let kind: SpanKind
    private let startedAt: UInt64
    /// nil for a span that is not recorded.
    private let queue: SpanQueue?
    private let state: Mutex<State>

    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var events: [FinishedSpan.Event] = []
        var status: SpanStatus?
        var hasEnded = false
    }

    init(
        _ name: String, _ context: ServiceContext, _ trace: TraceContext, parentId: String?, _ kind: SpanKind,
        startedAt: UInt64, to queue: SpanQueue?
    ) {
        self.context = context
        self.trace = trace
        self.parentId = parentId
        self.kind = kind
        self.startedAt = startedAt
        self.queue = queue
        state = Mutex(State(name: name))
    }

    public var isRecording: Bool { queue != nil && !state.withLock { $0.hasEnded } }

    public var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    public var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set {
            guard queue != nil else { return }
            state.withLock { $0.attributes = newValue }
        }
    }

    public func setStatus(_ status: SpanStatus) {
        state.withLock { $0.status = status }
    }

    public func addEvent(_ event: SpanEvent) {
        guard queue != nil else { return }
        add(.init(name: event.name, time: event.nanosecondsSinceEpoch, attributes: Self.read(event.attributes)))
    }

    /// Records only the type of the error, since its texts may contain what the caller sent.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        guard queue != nil else { return }
        let type = FinishedSpan.Attribute(
            key: "exception.type", value: .text(String(reflecting: Swift.type(of: error))))
        add(
            .init(
                name: "exception", time: instant().nanosecondsSinceEpoch,
                attributes: [type] + Self.read(attributes)))
    }

    /// Spans of this server have no links.
    public func addLink(_ link: SpanLink) {}

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let queue else { return }
        let end = instant().nanosecondsSinceEpoch
        let ended: State? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            return state
        }
        guard let ended else { return }
        queue.add(
            FinishedSpan(
                trace: trace, parentId: parentId, name: FinishedSpan.short(ended.name), kind: kind,
                startedAt: startedAt, endedAt: max(startedAt, end), attributes: Self.read(ended.attributes),
                events: ended.events, isError: ended.status?.code == .error,
                statusMessage: ended.status?.message.map(FinishedSpan.short)))
    }

    private func add(_ event: FinishedSpan.Event) {
        state.withLock { state in
            guard state.events.count < Self.eventBound else { return }
            state.events.append(event)
        }
    }

    private static func read(_ attributes: SpanAttributes) -> [FinishedSpan.Attribute] {
        var found: [FinishedSpan.Attribute] = []
        attributes.forEach { key, value in
            guard found.count < attributeBound, let value = FinishedSpan.Value(value) else { return }
            found.append(.init(key: key, value: value))
        }
        return found
    }
}
