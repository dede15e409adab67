/// The place of a span in a trace, as in the `traceparent` header of W3C Trace Context. Later versions add parts after
/// those of version 00.
///
///     TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")?.isSampled   // true
public struct TraceContext: Sendable, Hashable {
    /// The span in which the current task runs.
    @TaskLocal public static var current: TraceContext?

    /// 32 hexadecimal digits.
    public let traceId: String
    /// 16 hexadecimal digits.
    public let spanId: String
    /// Whether the caller records its spans.
    public let isSampled: Bool

    /// - Returns: nil for an invalid header, which is then ignored.
    public init?(_ traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4 || parts.count > 4 && parts[0] != "00", parts[0] != "ff",
            zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(\.isHexDigit) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        traceId = String(parts[1])
        spanId = String(parts[2])
        isSampled = flags & 1 == 1
    }

    init(traceId: String, spanId: String, isSampled: Bool) {
        self.traceId = traceId
        self.spanId = spanId
        self.isSampled = isSampled
    }

    public var traceparent: String { "00-\(traceId)-\(spanId)-\(isSampled ? "01" : "00")" }

    /// Whether a trace without a caller is recorded. All servers decide the same for a trace, by the last 56 bits of
    /// its id (https://www.w3.org/TR/trace-context-2/#random-trace-id-flag).
    ///
    /// - Parameter ratio: 0 to 1.
    static func isSampled(_ traceId: String, ratio: Double) -> Bool {
        guard let random = UInt64(traceId.suffix(14), radix: 16) else { return false }
        return Double(random) < ratio * 0x1p56
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
