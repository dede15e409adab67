import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var events: any EventRepository { SQLEvents(connection: connection) }
}

struct SQLEvents: EventRepository {
    let connection: any SQLConnection

    func append(_ event: NewEvent) throws {
        try connection.send(
            "INSERT INTO events (nonce, type, object_id, created_at, data) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(event.nonce), .text(event.typeName), .text(event.objectId), .time(event.createdAt),
                .text(String(decoding: event.data, as: UTF8.self)),
            ])
        try connection.announce(connection.dialect == .sqlite ? .eventsNumbered : .eventsAppended)
    }

    // MARK: Positions

    func number(limit: Int) throws -> Bool {
        guard connection.dialect == .postgres else { return false }
        // A plan made while the tables were small would compare each event with all others.
        try connection.send("SET LOCAL enable_seqscan = off", [])
        // Read before this transaction gets its number, so that all transactions that have drawn so far have lower
        // numbers.
        let drawn = try connection.row(
            "SELECT \(Self.lastSeq), CASE WHEN pg_current_xact_id_if_assigned() IS NULL THEN 1 ELSE 0 END", [])
        // With the lock, the next statements see everything that earlier numberings have committed.
        let numbering = try connection.row(
            """
            UPDATE event_numbering SET last = last
            RETURNING last, floor, horizon, \(Self.integer("pg_current_xact_id()"))
            """, [])
        // A separate statement, since one that waited for the lock has the snapshot from before the wait.
        let running = try connection.row(
            """
            SELECT \(Self.integer("pg_snapshot_xmin(now)")), \(Self.integer("pg_snapshot_xmax(now)"))
            FROM pg_current_snapshot() AS now
            """, [])
        guard let drawn, let numbering, let running else {
            throw StorageError.corrupt("the last position of events is missing")
        }
        let (last, floor) = (try numbering.integer(0), try numbering.integer(1))
        let numbered = try connection.run(
            """
            INSERT INTO event_positions (position, seq)
            SELECT CAST(? AS BIGINT) + ROW_NUMBER() OVER (ORDER BY seq), seq FROM (
                SELECT seq FROM events e
                WHERE seq > ? AND (SELECT position FROM event_positions p WHERE p.seq = e.seq) IS NULL
                ORDER BY seq LIMIT ?
            ) fresh
            """, [.integer(last), .integer(floor), .integer(limit)])
        // If all transactions before the horizon had ended before the events were read, none will have an event up to
        // the next floor. In a restored database, the horizon may be a number that no transaction has had yet.
        let (horizon, oldest, afterLast) = (try numbering.integer(2), try running.integer(0), try running.integer(1))
        if numbered < limit, try drawn.int(1) == 1, oldest >= horizon || horizon >= afterLast {
            try connection.run(
                """
                UPDATE event_numbering SET last = last + ?, floor = next_floor,
                    next_floor = GREATEST(next_floor, CAST(? AS BIGINT)), horizon = ?
                """, [.integer(numbered), .integer(try drawn.integer(0)), .integer(try numbering.integer(3))])
        } else if numbered > 0 {
            try connection.run("UPDATE event_numbering SET last = last + ?", [.integer(numbered)])
        }
        if numbered > 0 { try connection.announce(.eventsNumbered) }
        return numbered == limit
    }

    func hasUnnumbered() throws -> Bool {
        guard connection.dialect == .postgres else { return false }
        return try connection.row(
            "SELECT 1 FROM event_numbering WHERE floor < \(Self.lastSeq)", []) != nil
    }

    /// The latest number that a transaction has drawn for an event. A SELECT from the sequence may read a later one
    /// while another is being drawn.
    private static let lastSeq = "COALESCE(pg_sequence_last_value('event_seq'), 0)"

    /// The number of a transaction, which PostgreSQL can convert only as text.
    private static func integer(_ transaction: String) -> String { "CAST(CAST(\(transaction) AS TEXT) AS BIGINT)" }

    func lastPosition() throws -> Int64 {
        let sql =
            connection.dialect == .sqlite
            ? "SELECT COALESCE(MAX(position), 0) FROM events" : "SELECT last FROM event_numbering"
        return try connection.row(sql, [])?.integer(0) ?? 0
    }

    // MARK: Reading

    func events(
        types: Set<EventType>?, after position: Int64, through last: Int64?, limit: Int
    ) throws -> [EventRecord] {
        try select(
            [("position > ?", position), last.map { ("position <= ?", $0) }], types, order: "position", limit: limit)
    }

    func latestEvents(types: Set<EventType>?, before position: Int64?, limit: Int) throws -> [EventRecord] {
        try select([position.map { ("position < ?", $0) }], types, order: "position DESC", limit: limit)
    }

    /// - Parameter bounds: conditions on the position, each with its argument; nil for one that does not apply.
    private func select(
        _ bounds: [(sql: String, position: Int64)?], _ types: Set<EventType>?, order: String, limit: Int
    ) throws -> [EventRecord] {
        let bounds = bounds.compactMap(\.self)
        let types = types.map { SQLList.places($0.map(\.rawValue).sorted().map(SQLValue.text)) }
        let terms = bounds.map(\.sql) + [types.map { "type IN \($0.sql)" }].compactMap(\.self)
        let condition = terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
        return try connection.rows(
            "SELECT \(Self.columns) FROM numbered_events \(condition) ORDER BY \(order) LIMIT ?",
            bounds.map { .integer($0.position) } + (types?.arguments ?? []) + [.integer(limit)]
        ).map(Self.record)
    }

    func events(at positions: [Int64]) throws -> [EventRecord] {
        let places = SQLList.places(positions.map(SQLValue.integer))
        return try connection.rows(
            "SELECT \(Self.columns) FROM numbered_events WHERE position IN \(places.sql)", places.arguments
        ).map(Self.record)
    }

    private static let columns = "position, nonce, type, object_id, created_at, data"

    private static func record(_ row: SQLRow) throws -> EventRecord {
        EventRecord(
            position: try row.integer(0),
            event: NewEvent(
                nonce: try row.integer(1), typeName: try row.text(2), createdAt: try row.date(4),
                objectId: try row.text(3), data: Data(try row.text(5).utf8)))
    }

    // MARK: Consumers

    func position(of consumer: String) throws -> Int64 {
        // An upsert locks the row; a SELECT would read the position from before the wait.
        let row = try connection.row(
            """
            INSERT INTO event_places (consumer, position) VALUES (?, 0)
            ON CONFLICT (consumer) DO UPDATE SET position = event_places.position RETURNING position
            """, [.text(consumer)])
        return try row?.integer(0) ?? 0
    }

    func setPosition(of consumer: String, _ position: Int64) throws {
        try connection.run(
            "UPDATE event_places SET position = ? WHERE consumer = ?", [.integer(position), .text(consumer)])
    }

    func positions() throws -> [String: Int64] {
        try connection.rows("SELECT consumer, position FROM event_places", []).byText { try $0.integer(1) }
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        // Only the oldest are checked, since most runs find none to delete.
        let passed = """
            SELECT position FROM (
                SELECT position, created_at FROM numbered_events
                WHERE position <= COALESCE((SELECT MIN(position) FROM event_places), 0) ORDER BY position LIMIT ?
            ) oldest WHERE created_at < ?
            """
        let sql =
            connection.dialect == .sqlite
            ? "DELETE FROM events WHERE position IN (\(passed))"
            : """
            WITH passed AS (DELETE FROM event_positions WHERE position IN (\(passed)) RETURNING seq)
            DELETE FROM events WHERE seq IN (SELECT seq FROM passed)
            """
        return try connection.run(sql, [.integer(limit), .time(before)]) == limit
    }
}
