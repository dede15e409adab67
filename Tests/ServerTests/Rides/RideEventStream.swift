import Foundation
import PouchEntities
import PouchWire
import Testing

/// The events of a ride over a connection of their own, read byte by byte as they come.
actor RideEventStream {
    struct Event: Sendable {
        /// `status` or `position`; nil for a comment.
        var name: String?
        var id: String?
        /// Of the events that bring one.
        var update: RideUpdate?
    }

    /// What came before the first event; with a status that is no 200, all of it.
    let head: String

    private let connection: RawConnection
    /// What has come and was not told yet, without the marks of chunks.
    private var text = ""
    private var chunks: String
    /// Whether the answer came to its proper end, rather than the connection.
    private(set) var isComplete = false

    /// Returns once the answer has begun.
    init(
        _ caller: Caller, _ ride: String, port: Int?, lastId: String? = nil, method: String = "GET"
    ) async throws {
        let connection = try RawConnection(port: #require(port))
        try connection.send(Self.request(caller, ride, lastId, method))
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

    static func request(_ caller: Caller, _ ride: String, _ lastId: String? = nil, _ method: String = "GET") -> String {
        let token = caller.session?.remoteSession.accessToken ?? ""
        return "\(method) /v1/rides/\(ride)/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
            + (lastId.map { "\(HeaderName.lastEventId): \($0)\r\n" } ?? "") + "\r\n"
    }

    var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    /// - Returns: nil when no more will come.
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

    /// The next that is no comment.
    func nextUpdate(_ name: String? = nil) async throws -> Event? {
        while let event = try await next() {
            if event.name != nil, name == nil || event.name == name { return event }
        }
        return nil
    }

    func hangUp() throws { try connection.close() }

    /// Takes the whole chunks out of what has come.
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
            case "data": event.update = try WireJSON.decode(RideUpdate.self, from: Data(parts[1].utf8))
            default: Issue.record("\(line)")
            }
        }
        return event
    }
}
