extension Migration {
    /// Links in e-mails to the owners of accounts, verified addresses, origins of sessions, and the networks that
    /// accounts sign in from.
    ///
    /// Servers of earlier releases leave the new columns empty: their accounts are not verified, and the origins of
    /// their sessions are unknown.
    static let accounts = Migration(
        version: 12,
        name: "accounts",
        sql: """
            ALTER TABLE accounts ADD COLUMN email_verified_at BIGINT;
            ALTER TABLE refresh_tokens ADD COLUMN network TEXT;
            ALTER TABLE refresh_tokens ADD COLUMN user_agent TEXT;
            CREATE INDEX sign_in_failures_by_attempt ON sign_in_failures (attempt);
            CREATE TABLE account_links (
                id TEXT PRIMARY KEY,
                purpose TEXT NOT NULL,
                account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                email TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX account_links_by_account ON account_links (account_id, purpose);
            CREATE INDEX account_links_requested ON account_links (created_at) WHERE account_id IS NULL;
            CREATE INDEX account_links_by_expiry ON account_links (expires_at);
            CREATE TABLE known_networks (
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                network BYTEA NOT NULL,
                used_at BIGINT NOT NULL,
                PRIMARY KEY (account_id, network)
            );

            """
    )

    /// Finds the orders of deleted accounts that still name their buyers, by the time of their next check.
    static let buyers = Migration(
        version: 24,
        name: "buyers",
        sql: """
            ALTER TABLE orders ADD COLUMN anonymise_at BIGINT;
            CREATE INDEX orders_to_anonymise ON orders (anonymise_at) WHERE anonymise_at IS NOT NULL;

            """
    )
}
