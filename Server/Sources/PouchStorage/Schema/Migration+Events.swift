extension Migration {
    /// The events of the shop, and the places of their consumers.
    static let events = Migration(
        version: 11,
        name: "events",
        sql: """
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
        CREATE INDEX events_by_object ON events (object_id, position);
        """

    /// A transaction that commits late would put its events before others that consumers have seen already. Positions
    /// are therefore given after the commit, in the order of `seq`, which is the order of changes for one object, since
    /// the transaction that appends its event has locked it.
    private static let concurrent = """
        CREATE TABLE events (
            seq BIGSERIAL PRIMARY KEY,
            position BIGINT UNIQUE,
            id TEXT NOT NULL UNIQUE,
            type TEXT NOT NULL,
            object_id TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            data TEXT NOT NULL
        );
        CREATE INDEX events_by_object ON events (object_id, position);
        CREATE INDEX events_unnumbered ON events (seq) WHERE position IS NULL;
        CREATE TABLE event_positions (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            last BIGINT NOT NULL
        );
        INSERT INTO event_positions (singleton, last) VALUES (1, 0);
        """
}
