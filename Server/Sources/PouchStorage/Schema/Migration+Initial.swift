extension Migration {
    /// Times are milliseconds since 1970, amounts minor units, lists and objects JSON.
    static let initial = Migration(
        version: 1,
        name: "initial",
        sql: """
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
                created_at BIGINT NOT NULL
            );
            CREATE TABLE addresses (
                id TEXT PRIMARY KEY,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                address TEXT NOT NULL
            );
            CREATE INDEX addresses_by_account ON addresses (account_id, id);

            CREATE TABLE sessions (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                account_id TEXT,
                created_at BIGINT NOT NULL,
                ended_at BIGINT
            );
            CREATE INDEX sessions_by_account ON sessions (account_id);
            CREATE TABLE refresh_tokens (
                hash BYTEA PRIMARY KEY,
                session_id TEXT NOT NULL REFERENCES sessions (id),
                expires_at BIGINT NOT NULL,
                used_at BIGINT,
                successor_hash BYTEA,
                successor_key_id TEXT
            );
            CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
            CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);
            CREATE TABLE sign_in_failures (
                key BYTEA NOT NULL,
                at BIGINT NOT NULL
            );
            CREATE INDEX sign_in_failures_by_key ON sign_in_failures (key, at);
            CREATE INDEX sign_in_failures_by_age ON sign_in_failures (at);
            CREATE TABLE signing_keys (
                id TEXT PRIMARY KEY,
                secret BYTEA NOT NULL,
                created_at BIGINT NOT NULL
            );

            CREATE TABLE catalog_version (
                singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
                version BIGINT NOT NULL
            );
            INSERT INTO catalog_version (singleton, version) VALUES (1, 0);
            CREATE TABLE seasons (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                starts_at BIGINT,
                ends_at BIGINT
            );
            CREATE TABLE themes (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                season_id TEXT NOT NULL
            );
            CREATE TABLE categories (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL
            );
            CREATE TABLE products (
                id TEXT PRIMARY KEY,
                handle TEXT NOT NULL UNIQUE,
                style_code TEXT,
                name TEXT NOT NULL,
                description TEXT,
                season_id TEXT,
                theme_id TEXT,
                category_id TEXT NOT NULL,
                tags TEXT NOT NULL,
                materials TEXT,
                care_instructions TEXT,
                options TEXT NOT NULL,
                images TEXT NOT NULL,
                promo_image TEXT,
                updated_at BIGINT NOT NULL
            );
            CREATE INDEX products_by_style ON products (style_code, id);
            CREATE TABLE variants (
                sku TEXT PRIMARY KEY,
                product_id TEXT NOT NULL REFERENCES products (id),
                position INTEGER NOT NULL,
                options TEXT NOT NULL,
                price BIGINT NOT NULL CHECK (price >= 0),
                compare_at_price BIGINT,
                weight_grams INTEGER,
                imported_stock INTEGER
            );
            CREATE INDEX variants_by_product ON variants (product_id, position);
            CREATE TABLE stock (
                sku TEXT PRIMARY KEY REFERENCES variants (sku),
                on_hand BIGINT NOT NULL,
                held BIGINT NOT NULL DEFAULT 0,
                changed_at BIGINT NOT NULL,
                CHECK (held >= 0 AND on_hand >= held)
            );
            CREATE INDEX stock_by_change ON stock (changed_at);
            CREATE TABLE promotions (
                position INTEGER PRIMARY KEY,
                product_id TEXT NOT NULL REFERENCES products (id),
                image TEXT NOT NULL
            );
            CREATE TABLE assets (
                path TEXT PRIMARY KEY,
                media_type TEXT NOT NULL,
                digest BYTEA NOT NULL,
                bytes BYTEA NOT NULL
            );

            CREATE TABLE carts (
                owner_id TEXT PRIMARY KEY,
                version BIGINT NOT NULL,
                shipping_method_id TEXT,
                shipping_address TEXT,
                changes TEXT NOT NULL,
                updated_at BIGINT NOT NULL
            );
            CREATE TABLE cart_lines (
                owner_id TEXT NOT NULL,
                sku TEXT NOT NULL,
                position BIGINT NOT NULL,
                quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 999),
                seen_price BIGINT NOT NULL,
                PRIMARY KEY (owner_id, sku)
            );

            CREATE TABLE order_numbers (
                singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
                last BIGINT NOT NULL
            );
            INSERT INTO order_numbers (singleton, last) VALUES (1, 10000);
            CREATE TABLE orders (
                id TEXT PRIMARY KEY,
                number TEXT NOT NULL UNIQUE,
                owner_id TEXT NOT NULL,
                version BIGINT NOT NULL,
                status TEXT NOT NULL,
                totals TEXT NOT NULL,
                shipping TEXT,
                email TEXT,
                from_cart INTEGER NOT NULL,
                payment_id TEXT NOT NULL UNIQUE,
                payment_status TEXT NOT NULL,
                payment_amount BIGINT NOT NULL,
                refunded BIGINT NOT NULL CHECK (refunded BETWEEN 0 AND payment_amount),
                currency TEXT NOT NULL,
                ledger_id TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX orders_by_owner ON orders (owner_id, id);
            CREATE INDEX orders_unsettled ON orders (ledger_id, id)
                WHERE status = 'pending' OR (status = 'cancelled' AND payment_status = 'captured');
            CREATE TABLE order_lines (
                order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                sku TEXT NOT NULL,
                name TEXT NOT NULL,
                options TEXT NOT NULL,
                quantity INTEGER NOT NULL,
                unit_price BIGINT NOT NULL,
                line_total BIGINT NOT NULL,
                discount BIGINT NOT NULL,
                tax BIGINT NOT NULL,
                refunded_quantity INTEGER NOT NULL CHECK (refunded_quantity BETWEEN 0 AND quantity),
                PRIMARY KEY (order_id, position)
            );
            CREATE TABLE order_events (
                order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                status TEXT NOT NULL,
                at BIGINT NOT NULL,
                PRIMARY KEY (order_id, position)
            );

            CREATE TABLE idempotency (
                owner_id TEXT NOT NULL,
                key TEXT NOT NULL,
                fingerprint BYTEA NOT NULL,
                order_id TEXT,
                status INTEGER,
                media_type TEXT,
                body BYTEA,
                etag TEXT,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (owner_id, key)
            );
            CREATE INDEX idempotency_by_order ON idempotency (order_id);
            CREATE INDEX idempotency_by_age ON idempotency (created_at);

            CREATE TABLE imports (
                id TEXT PRIMARY KEY,
                created_at BIGINT NOT NULL,
                active_at BIGINT NOT NULL
            );
            CREATE TABLE import_records (
                import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                position BIGINT NOT NULL,
                record TEXT NOT NULL,
                PRIMARY KEY (import_id, position)
            );
            CREATE TABLE import_assets (
                import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                path TEXT NOT NULL,
                media_type TEXT NOT NULL,
                digest BYTEA NOT NULL,
                bytes BYTEA NOT NULL,
                PRIMARY KEY (import_id, path)
            );
            """
    )
}
