extension Baseline {
    /// The positions of the consumers of events, webhooks with their deliveries, the audit log, and e-mails.
    ///
    /// A delivery that is being sent is due again when the lease of its server ends. The content of an e-mail contains no
    /// secret: the tokens of links are created when an e-mail is written. Failed e-mails and deliveries have indexes of
    /// their own, so that they are found without reading those that were sent.
    static let activity = """
        CREATE TABLE event_places (
            consumer TEXT PRIMARY KEY,
            position BIGINT NOT NULL
        );
        CREATE TABLE webhooks (
            id TEXT PRIMARY KEY,
            url TEXT NOT NULL,
            types TEXT NOT NULL,
            description TEXT,
            status TEXT NOT NULL,
            failing_since BIGINT,
            secrets TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            added_by TEXT
        );
        CREATE TABLE webhook_deliveries (
            id TEXT PRIMARY KEY,
            webhook_id TEXT NOT NULL,
            event_id TEXT NOT NULL,
            position BIGINT NOT NULL,
            type TEXT NOT NULL,
            object_id TEXT NOT NULL,
            status TEXT NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            attempts TEXT NOT NULL,
            due_at BIGINT,
            holder TEXT,
            created_at BIGINT NOT NULL
        );
        CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, position)
            WHERE status = 'pending';
        CREATE INDEX webhook_deliveries_open ON webhook_deliveries (webhook_id, object_id, position)
            WHERE status = 'pending';
        CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id);
        CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at);
        CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, id) WHERE status = 'failed';
        CREATE TABLE audit (
            id TEXT PRIMARY KEY,
            at BIGINT NOT NULL,
            actor TEXT,
            action TEXT NOT NULL,
            object TEXT,
            old_value TEXT,
            new_value TEXT,
            address TEXT,
            request_id TEXT,
            counter TEXT UNIQUE,
            count INTEGER NOT NULL DEFAULT 1
        );
        CREATE INDEX audit_by_time ON audit (at);
        CREATE INDEX audit_counters ON audit (at) WHERE counter IS NOT NULL;
        CREATE INDEX audit_by_actor ON audit (actor, id);
        CREATE INDEX audit_by_action ON audit (action, id);
        CREATE INDEX audit_by_object ON audit (object, id);
        CREATE TABLE mails (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            recipient TEXT NOT NULL,
            owner_id TEXT,
            content TEXT NOT NULL,
            event_id TEXT,
            created_at BIGINT NOT NULL,
            due_at BIGINT,
            attempts INTEGER NOT NULL DEFAULT 0,
            sent_at BIGINT,
            failed_at BIGINT,
            failure TEXT,
            CHECK (due_at IS NOT NULL OR sent_at IS NOT NULL OR failed_at IS NOT NULL)
        );
        CREATE UNIQUE INDEX mails_by_event ON mails (event_id, kind, recipient);
        CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX mails_by_age ON mails (created_at) WHERE due_at IS NULL;
        CREATE INDEX mails_by_owner ON mails (owner_id);
        CREATE INDEX mails_failed ON mails (created_at) WHERE failed_at IS NOT NULL;

        """

    /// The words by which orders and accounts are found; the id is that of either.
    static let searchTerms = """
        CREATE TABLE search_terms (
            term TEXT NOT NULL,
            object_id TEXT NOT NULL,
            PRIMARY KEY (term, object_id)
        )
        """

    /// On SQLite, transactions run one at a time, so positions increase in the order in which they commit.
    static let eventsOnSQLite = """
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

    /// On PostgreSQL, a transaction that commits late would put its events before others that consumers have already
    /// seen. Positions are therefore assigned after the commit, in the order of `seq`, which is the order of changes for
    /// one object, since the transaction that appends its event has locked it. They are in a separate table, since an
    /// update would write the whole event and all its index entries once more.
    ///
    /// `numbered_events` has the events with positions. OFFSET fixes the order of the join: while the tables grow
    /// faster than their statistics, the planner would choose one that reads all events.
    ///
    /// All events up to `floor` have positions. `next_floor` is the latest `seq` that was drawn when the transaction
    /// with the number `horizon` began to assign positions. It becomes the floor once all transactions with lower
    /// numbers have ended. CASE gives a transaction its number before it draws a `seq`.
    static let eventsOnPostgres = """
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
