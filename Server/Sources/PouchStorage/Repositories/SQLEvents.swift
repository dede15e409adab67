import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var events: any EventRepository { SQLEvents(connection: connection) }
}

struct SQLEvents: EventRepository {
    let connection: any SQLConnection

    func append(_ event: NewEvent) throws {
        try connection.run(
            "INSERT INTO events (id, type, object_id, created_at, data) VALUES (?, ?, ?, ?, ?)",
            [
                .text(event.id), .text(event.typeName), .text(event.objectId), .time(event.createdAt),
                .text(String(decoding: event.data, as: UTF8.self)),
            ])
    }

    // MARK: Positions

    func number(limit: Int) throws -> Bool {
        guard !connection.dialect.givesPositionsOnInsert else { return false }
        // The lock makes the next statement see all that earlier numberings have committed.
        guard
            let last = try connection.row("UPDATE event_positions SET last = last RETURNING last", [])?.integer(0)
        else { throw StorageError.corrupt("the last position of events is missing") }
        let numbered = try connection.run(
            """
            WITH fresh AS (
                SELECT seq, ROW_NUMBER() OVER (ORDER BY seq) AS number FROM (
                    SELECT seq FROM events WHERE position IS NULL ORDER BY seq LIMIT ?
                ) unnumbered
            )
            UPDATE events SET position = CAST(? AS BIGINT) + fresh.number FROM fresh WHERE events.seq = fresh.seq
            """, [.integer(limit), .integer(last)])
        guard numbered > 0 else { return false }
        try connection.run("UPDATE event_positions SET last = last + ?", [.integer(numbered)])
        return numbered == limit
    }

    func hasUnnumbered() throws -> Bool {
        guard !connection.dialect.givesPositionsOnInsert else { return false }
        return try connection.row("SELECT seq FROM events WHERE position IS NULL LIMIT 1", []) != nil
    }

    func lastPosition() throws -> Int64 {
        try connection.row("SELECT MAX(position) FROM events", [])?.optional(0, SQLRow.integer) ?? 0
    }

    // MARK: Reading

    func events(of objectId: String?, type: EventType?, after position: Int64, limit: Int) throws -> [EventRecord] {
        let conditions = (objectId == nil ? "" : "object_id = ? AND ") + (type == nil ? "" : "type = ? AND ")
        return try connection.rows(
            """
            SELECT \(Self.columns) FROM events WHERE \(conditions)position > ? ORDER BY position LIMIT ?
            """,
            [objectId, type?.rawValue].compactMap { $0.map(SQLValue.text) } + [.integer(position), .integer(limit)]
        ).map(Self.record)
    }

    func event(id: String) throws -> EventRecord? {
        try connection.row(
            "SELECT \(Self.columns) FROM events WHERE id = ? AND position IS NOT NULL", [.text(id)]
        ).map(Self.record)
    }

    private static let columns = "position, id, type, object_id, created_at, data"

    private static func record(_ row: SQLRow) throws -> EventRecord {
        EventRecord(
            position: try row.integer(0),
            event: NewEvent(
                id: try row.text(1), typeName: try row.text(2), createdAt: try row.date(4), objectId: try row.text(3),
                data: Data(try row.text(5).utf8)))
    }

    // MARK: Consumers

    func place(of consumer: String) throws -> Int64 {
        // An upsert locks the row; a SELECT would read the place from before the wait.
        let row = try connection.row(
            """
            INSERT INTO event_places (consumer, position) VALUES (?, 0)
            ON CONFLICT (consumer) DO UPDATE SET position = event_places.position RETURNING position
            """, [.text(consumer)])
        return try row?.integer(0) ?? 0
    }

    func setPlace(of consumer: String, _ position: Int64) throws {
        try connection.run(
            "UPDATE event_places SET position = ? WHERE consumer = ?", [.integer(position), .text(consumer)])
    }

    func places() throws -> [String: Int64] {
        try connection.rows("SELECT consumer, position FROM event_places", []).byText { try $0.integer(1) }
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        try connection.run(
            """
            DELETE FROM events WHERE position IN (
                SELECT position FROM events WHERE created_at < ?
                    AND position <= COALESCE((SELECT MIN(position) FROM event_places), 0)
                ORDER BY position LIMIT ?
            )
            """, [.time(before), .integer(limit)]) == limit
    }
}
