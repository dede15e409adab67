import Foundation

/// Parses a stream of bytes into events, for any division of the stream into pieces.
struct EventParser {
    /// The last id of a complete event, to send when reconnecting.
    private(set) var lastId: String
    /// The pause before a reconnection; nil if the server has not set one.
    private(set) var retry: Duration?

    private let limit: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var event = ""
    private var hasData = false
    private var id: String
    private var isFirstLine = true
    private var endedWithCR = false

    /// - Parameter limit: the maximum size of an event, and of a line, in bytes.
    init(lastId: String, limit: Int) {
        self.lastId = lastId
        self.limit = limit
        id = lastId
    }

    mutating func events(in piece: Data) throws(EventStreamError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in piece {
            let followsCR = endedWithCR
            endedWithCR = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsCR: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = takeLine() { events.append(event) }
            default:
                guard line.count + data.count < limit else { throw .tooLarge(limit: limit) }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func takeLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        let name = line[..<(colon ?? line.endIndex)]
        var value = line[(colon.map { $0 + 1 } ?? line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data.append(contentsOf: value)
            hasData = true
        case "event": event = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains):
            retry = Int(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) } ?? retry
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            data.removeAll(keepingCapacity: true)
            event = ""
            hasData = false
        }
        lastId = id
        guard hasData else { return nil }
        return ServerSentEvent(
            id: id, event: event.isEmpty ? "message" : event, data: String(decoding: data, as: UTF8.self))
    }
}
