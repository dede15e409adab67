import Synchronization
import Tracing

/// A span that has ended.
struct FinishedSpan: Sendable {
    struct Attribute: Sendable {
        let key: String
        let value: Value
    }

    enum Value: Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case flag(Bool)

        /// - Returns: nil for a list, which no span of this server has.
        init?(_ attribute: SpanAttribute) {
            switch attribute {
            case .int32(let value): self = .integer(Int64(value))
            case .int64(let value): self = .integer(value)
            case .double(let value) where value.isFinite: self = .number(value)
            case .bool(let value): self = .flag(value)
            case .string(let value): self = .text(FinishedSpan.short(value))
            case .stringConvertible(let value): self = .text(FinishedSpan.short(value.description))
            default: return nil
            }
        }
    }

    struct Event: Sendable {
        let name: String
        /// The time in nanoseconds since 1970.
        let time: UInt64
        let attributes: [Attribute]
    }

    let trace: TraceContext
    let parentId: String?
    let name: String
    let kind: SpanKind
    /// The start in nanoseconds since 1970.
    let startedAt: UInt64
    let endedAt: UInt64
    let attributes: [Attribute]
    let events: [Event]
    let isError: Bool
    let statusMessage: String?

    /// - Returns: at most 256 Unicode scalars, which are counted faster than characters.
    static func short(_ text: String) -> String {
        text.utf8.count <= 256 ? text : String(text.unicodeScalars.prefix(256))
    }
}

/// The spans that wait to be sent. When the queue is full, further spans are dropped and counted, so that no request
/// waits.
public final class SpanQueue: Sendable {
    private let bound: Int
    private let state = Mutex(State())

    private struct State {
        var spans: [FinishedSpan] = []
        var dropped = 0
    }

    public init(bound: Int = 8_192) {
        self.bound = bound
    }

    public var count: Int { state.withLock { $0.spans.count } }
    /// The number of spans dropped because the queue was full.
    public var dropped: Int { state.withLock { $0.dropped } }

    func add(_ span: FinishedSpan) {
        state.withLock { state in
            guard state.spans.count < bound else { return state.dropped += 1 }
            state.spans.append(span)
        }
    }

    /// The oldest spans, which stay until they are removed.
    func first(_ limit: Int) -> [FinishedSpan] { state.withLock { Array($0.spans.prefix(limit)) } }

    func removeFirst(_ count: Int) { state.withLock { $0.spans.removeFirst(min(count, $0.spans.count)) } }
}
