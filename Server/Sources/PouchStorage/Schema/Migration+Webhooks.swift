extension Migration {
    /// Webhooks, their deliveries, and the audit log.
    ///
    /// A delivery that is being sent is due again when the lease of its server ends.
    static let webhooks = Migration(
        version: 15,
        name: "webhooks",
        sql: """
            CREATE TABLE webhooks (
                id TEXT PRIMARY KEY,
                url TEXT NOT NULL,
                types TEXT NOT NULL,
                description TEXT,
                status TEXT NOT NULL,
                failing_since BIGINT,
                secrets TEXT NOT NULL,
                created_at BIGINT NOT NULL
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

            """
    )
}
