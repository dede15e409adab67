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
        sqlite: embedded, postgres: concurrent)

    /// Transactions run one at a time, so positions increase in the order in which they commit.
    private static let embedded = """
        CREATE TABLE events (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            nonce BIGINT NOT NULL,
            type TEXT NOT NULL,
            object_id TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            data TEXT NOT NULL
        );
        CREATE VIEW numbered_events AS SELECT position, nonce, type, object_id, created_at, data FROM events;
        """

    /// A transaction that commits late would put its events before others that consumers have already seen. Positions
    /// are therefore assigned after the commit, in the order of `seq`, which is the order of changes for one object,
    /// since the transaction that appends its event has locked it. They are in a separate table, since an update would
    /// write the whole event and all its index entries once more.
    ///
    /// `numbered_events` has the events with positions. OFFSET fixes the order of the join: while the tables grow
    /// faster than their statistics, the planner would choose one that reads all events.
    ///
    /// All events up to `floor` have positions. `next_floor` is the latest `seq` that was drawn when the transaction
    /// with the number `horizon` began to assign positions. It becomes the floor once all transactions with lower
    /// numbers have ended. CASE gives a transaction its number before it draws a `seq`.
    private static let concurrent = """
        CREATE SEQUENCE event_seq;
        CREATE TABLE events (
            seq BIGINT PRIMARY KEY
                DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('event_seq') END,
            nonce BIGINT NOT NULL,
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
            SELECT p.position, e.nonce, e.type, e.object_id, e.created_at, e.data
            FROM event_positions p CROSS JOIN LATERAL (SELECT * FROM events WHERE seq = p.seq OFFSET 0) e;
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
