import ServerTesting
import Testing

/// The server-sent events of a ride, an order or a page over a separate connection, parsed as they arrive.
actor LiveEventStream<Update: JSONCodable> {
    struct Event: Sendable {
        /// Such as `status` or `position`; nil for a comment.
        var name: String?
        var id: String?
        /// The decoded data of the event.
        var update: Update?
    }

    /// The status line and headers; the whole response without a 200.
    let head: String

    private let connection: RawConnection
    /// Received text of events that were not returned yet, without the chunk headers.
    private var text = ""
    private var chunks: String
    /// Whether the response ended properly, and not just the connection.
    private(set) var isComplete = false

    init(_ caller: Caller, _ path: String, port: Int?, lastId: String? = nil, method: String = "GET") async throws {
        try await self.init(Self.request(caller, path, lastId, method), port: port)
    }

    /// Sends the request and waits for the headers.
    init(_ request: String, port: Int?) async throws {
        let connection = try RawConnection(port: #require(port))
        try connection.send(request)
        var received = ""
        while !received.contains("\r\n\r\n") {
            let more = await connection.receive()
            try #require(!more.isEmpty, "\(received)")
            received += more
        }
        let end = try #require(received.range(of: "\r\n\r\n"))
        self.connection = connection
        head = String(received[..<end.lowerBound])
        chunks = String(received[end.upperBound...])
    }

    static func request(_ caller: Caller, _ path: String, _ lastId: String? = nil, _ method: String = "GET") -> String {
        let token = caller.session?.remoteSession.accessToken ?? ""
        return "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
            + (lastId.map { "\(HeaderName.lastEventId): \($0)\r\n" } ?? "") + "\r\n"
    }

    var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    /// - Returns: the next event; nil at the end of the stream.
    func next() async throws -> Event? {
        while true {
            try unwrap()
            if let end = text.range(of: "\n\n") {
                let block = text[..<end.lowerBound]
                text = String(text[end.upperBound...])
                return try Self.event(block)
            }
            if isComplete { return nil }
            let more = await connection.receive()
            if more.isEmpty { return nil }
            chunks += more
        }
    }

    /// The next event that is not a comment.
    func nextUpdate(_ name: String? = nil) async throws -> Event? {
        while let event = try await next() {
            if event.name != nil, name == nil || event.name == name { return event }
        }
        return nil
    }

    func hangUp() throws { try connection.close() }

    /// Moves complete chunks from `chunks` to `text`.
    private func unwrap() throws {
        while !isComplete, let line = chunks.range(of: "\r\n") {
            let size = try #require(Int(chunks[..<line.lowerBound], radix: 16), "\(chunks)")
            let bytes = Data(chunks[line.upperBound...].utf8)
            guard bytes.count >= size + 2 else { return }
            text += String(decoding: bytes.prefix(size), as: UTF8.self)
            chunks = String(decoding: bytes.dropFirst(size + 2), as: UTF8.self)
            if size == 0 { isComplete = true }
        }
    }

    private static func event(_ block: Substring) throws -> Event {
        var event = Event()
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            try #require(parts.count == 2, "\(block)")
            switch parts[0] {
            case "event": event.name = parts[1]
            case "id": event.id = parts[1]
            case "data": event.update = try Update(json: Data(parts[1].utf8))
            default: Issue.record("\(line)")
            }
        }
        return event
    }
}

typealias RideEventStream = LiveEventStream<RideUpdate>
