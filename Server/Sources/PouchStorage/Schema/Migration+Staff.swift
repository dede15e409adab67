extension Migration {
    /// Roles of staff, invitations, second factors and API keys.
    ///
    /// A server of an earlier release creates administrators without a role; they are owners. Confirmation times that
    /// it does not store are those of the sign-in.
    static let staff = Migration(
        version: 17,
        name: "staff",
        sql: """
            ALTER TABLE accounts ADD COLUMN staff_role TEXT;
            UPDATE accounts SET staff_role = 'owner' WHERE role = 'admin';
            CREATE INDEX accounts_staff ON accounts (id) WHERE role = 'admin';
            ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT;
            CREATE TABLE staff_invitations (
                id TEXT PRIMARY KEY,
                email TEXT NOT NULL UNIQUE,
                role TEXT NOT NULL,
                invited_by TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            );
            CREATE TABLE second_factors (
                account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                secret BYTEA NOT NULL,
                created_at BIGINT NOT NULL,
                enabled_at BIGINT,
                last_step BIGINT NOT NULL DEFAULT 0
            );
            CREATE TABLE recovery_codes (
                account_id TEXT NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
                hash BYTEA NOT NULL,
                PRIMARY KEY (account_id, hash)
            );
            CREATE TABLE api_keys (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                hash BYTEA NOT NULL,
                scopes TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                created_by TEXT NOT NULL,
                expires_at BIGINT,
                last_used_at BIGINT,
                revoked_at BIGINT
            );

            """
    )

    /// Adds to each webhook the member or key that added it, so that the webhook ends with the right to add it. Keys
    /// and invitations whose creators no longer have that right end here; those of earlier releases outlasted it.
    static let grants = Migration(
        version: 23,
        name: "grants",
        sql: """
            ALTER TABLE webhooks ADD COLUMN added_by TEXT;
            UPDATE api_keys SET revoked_at = created_at WHERE revoked_at IS NULL AND created_by NOT IN (
                SELECT id FROM accounts WHERE role = 'admin' AND COALESCE(staff_role, 'owner') = 'owner');
            DELETE FROM staff_invitations WHERE invited_by NOT IN (
                SELECT id FROM accounts WHERE role = 'admin' AND COALESCE(staff_role, 'owner') = 'owner');

            """
    )
}
