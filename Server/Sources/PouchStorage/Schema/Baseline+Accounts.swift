extension Baseline {
    /// The shop, accounts with their sessions, links and second factors, and staff with their invitations and keys.
    ///
    /// The origins of a session are those of its latest refresh. A failed sign-in is identified by its attempt, so that
    /// a single one can be removed.
    static let accounts = """
        CREATE TABLE shop (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            currency TEXT NOT NULL
        );

        CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            role TEXT NOT NULL CHECK (role IN ('customer', 'admin')),
            name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE,
            mobile_number TEXT,
            avatar_url TEXT,
            password_hash TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            email_verified_at BIGINT,
            is_searchable INTEGER NOT NULL DEFAULT 0,
            staff_role TEXT
        );
        CREATE INDEX accounts_not_searchable ON accounts (id) WHERE is_searchable = 0;
        CREATE INDEX accounts_staff ON accounts (id) WHERE role = 'admin';
        CREATE TABLE addresses (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            address TEXT NOT NULL
        );
        CREATE INDEX addresses_by_account ON addresses (account_id, id);
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

        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            account_id TEXT,
            created_at BIGINT NOT NULL,
            ended_at BIGINT,
            confirmed_at BIGINT
        );
        CREATE INDEX sessions_by_account ON sessions (account_id);
        CREATE TABLE refresh_tokens (
            hash BYTEA PRIMARY KEY,
            session_id TEXT NOT NULL REFERENCES sessions (id),
            expires_at BIGINT NOT NULL,
            used_at BIGINT,
            successor_hash BYTEA,
            successor_key_id TEXT,
            network TEXT,
            user_agent TEXT
        );
        CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
        CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);
        CREATE TABLE sign_in_failures (
            key BYTEA NOT NULL,
            at BIGINT NOT NULL,
            attempt TEXT
        );
        CREATE INDEX sign_in_failures_by_key ON sign_in_failures (key, at);
        CREATE INDEX sign_in_failures_by_age ON sign_in_failures (at);
        CREATE INDEX sign_in_failures_by_attempt ON sign_in_failures (attempt);
        CREATE TABLE signing_keys (
            id TEXT PRIMARY KEY,
            secret BYTEA NOT NULL,
            created_at BIGINT NOT NULL
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

        CREATE TABLE staff_invitations (
            id TEXT PRIMARY KEY,
            email TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            invited_by TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL
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
}
