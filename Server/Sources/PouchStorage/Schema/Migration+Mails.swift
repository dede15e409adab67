extension Migration {
    /// E-mails to send and, for a while, those that were sent or abandoned. The content contains no secret: the tokens
    /// of links are created when an e-mail is written.
    static let mails = Migration(
        version: 16,
        name: "mails",
        sql: """
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

            """
    )

    /// Finds failed e-mails and webhook deliveries without reading those that were sent.
    static let failures = Migration(
        version: 21,
        name: "failures",
        sql: """
            CREATE INDEX mails_failed ON mails (created_at) WHERE failed_at IS NOT NULL;
            CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, id) WHERE status = 'failed';

            """
    )
}
