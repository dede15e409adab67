import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchEntities
import PouchWire

extension Request {
    /// The body; fields that are not known are refused.
    func json<Body: Decodable>(_ type: Body.Type) async throws -> Body {
        let bytes = try await body.collect(upTo: 64 << 10)
        return try StrictJSON.decode(type, from: Data(bytes.readableBytesView))
    }

    /// The query of a list.
    ///
    /// - Throws: `QueryProblem`, `SandboxProblem`.
    func page() throws -> (limit: Int, after: String) {
        guard let query = QueryString(parsing: uri.query ?? "") else { throw SandboxProblem(.invalidRequest) }
        var reader = QueryReader(query)
        let (limit, cursor) = try reader.page()
        try reader.finish()
        return (limit ?? Limits.defaultPageSize, cursor ?? "")
    }
}

extension Response {
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(value))))
    }

    /// What was booked; told as such where it was booked before.
    init<Entry: Encodable>(_ booked: Booked<Entry>) throws {
        try self.init(json: booked.entry, status: .created)
        if booked.isReplay, let name = HTTPField.Name(HeaderName.idempotentReplayed) { headers[name] = "true" }
    }

    /// One page of entries of which one more was looked for; the cursor is the key of its last one.
    init<Entry: Codable & Sendable>(page entries: [Entry], limit: Int, key: (Entry) -> String) throws {
        let items = Array(entries.prefix(limit))
        try self.init(json: Page(items: items, nextCursor: entries.count > limit ? items.last.map(key) : nil))
    }
}
