import Foundation
import Synchronization

/// The side of a call that a span describes, with its number in the protocol.
public enum SpanKind: Int64, Sendable {
    /// A step within the server.
    case work = 1
    /// The answer to a request.
    case server = 2
    /// A call of another system.
    case client = 3
}

/// The record of a span. All times are in nanoseconds since 1970.
struct FinishedSpan: Sendable {
    struct Attribute: Sendable {
        let key: String
        let value: Value
    }

    enum Value: Sendable {
        case text(String)
        case integer(Int)
    }

    /// The error that ended the step.
    struct Exception: Sendable {
        let type: String
        let time: UInt64
    }

    let trace: TraceContext
    let parentId: String?
    let name: String
    let kind: SpanKind
    let startedAt: UInt64
    var endedAt: UInt64 = 0
    var attributes: [Attribute] = []
    var exception: Exception?
    var isError = false

    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

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
