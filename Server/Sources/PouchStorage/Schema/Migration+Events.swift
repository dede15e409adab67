extension Migration {
    /// The events of the shop, and the places of their consumers.
    static let events = Migration(
        version: 11,
        name: "events",
        sql: """
            -- The tables of the events differ between the databases.
            CREATE TABLE event_places (
                consumer TEXT PRIMARY KEY,
                position BIGINT NOT NULL
            );

            """,
        convert: { connection in
            try connection.script(connection.dialect.givesPositionsOnInsert ? embedded : concurrent)
        }
    )

    /// Transactions run one at a time, so positions rise in the order in which they commit.
    private static let embedded = """
        CREATE TABLE events (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            type TEXT NOT NULL,
            object_id TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            data TEXT NOT NULL
        );
        CREATE VIEW numbered_events AS SELECT position, id, type, object_id, created_at, data FROM events;
        CREATE VIEW identified_events AS SELECT position, id, type, object_id, created_at, data FROM events;
        """

    /// A transaction that commits late would put its events before others that consumers have seen already. Positions
    /// are therefore given after the commit, in the order of `seq`, which is the order of changes for one object, since
    /// the transaction that appends its event has locked it. They have a table of their own, since an update would write
    /// the whole event and all entries of its indexes once more.
    ///
    /// Both views have the events with positions: `numbered_events` is read by positions, and `identified_events` by ids.
    /// OFFSET fixes the order of the join. While the tables grow faster than their statistics, the planner would choose an
    /// order that reads all events.
    ///
    /// All events up to `floor` have positions. `next_floor` is the latest `seq` that was drawn when the transaction with
    /// the number `horizon` began to give positions. It becomes the floor once all transactions with lower numbers have
    /// ended. CASE gives a transaction its number before it draws a `seq`.
    private static let concurrent = """
        CREATE SEQUENCE event_seq;
        CREATE TABLE events (
            seq BIGINT PRIMARY KEY
                DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('event_seq') END,
            id TEXT NOT NULL UNIQUE,
            type TEXT NOT NULL,
            object_id TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            data TEXT NOT NULL
        );
        CREATE TABLE event_positions (
            position BIGINT PRIMARY KEY,
            seq BIGINT NOT NULL UNIQUE
        );
        CREATE VIEW numbered_events AS
            SELECT p.position, e.id, e.type, e.object_id, e.created_at, e.data
            FROM event_positions p CROSS JOIN LATERAL (SELECT * FROM events WHERE seq = p.seq OFFSET 0) e;
        CREATE VIEW identified_events AS
            SELECT p.position, e.id, e.type, e.object_id, e.created_at, e.data
            FROM events e CROSS JOIN LATERAL (SELECT position FROM event_positions WHERE seq = e.seq OFFSET 0) p;
        CREATE TABLE event_numbering (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            last BIGINT NOT NULL,
            floor BIGINT NOT NULL,
            next_floor BIGINT NOT NULL,
            horizon BIGINT NOT NULL
        );
        INSERT INTO event_numbering (singleton, last, floor, next_floor, horizon) VALUES (1, 0, 0, 0, 0);
        """
}
