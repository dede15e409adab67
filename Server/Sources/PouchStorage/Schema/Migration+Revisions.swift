extension Migration {
    /// Stores products and variants by revision, so that a large import can be written in many short transactions and
    /// published in one. They are read through the views.
    static let revisions = Migration(
        version: 3,
        name: "revisions",
        sql: """
            ALTER TABLE catalog_version ADD COLUMN published BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE catalog_version ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

            CREATE TABLE promotions_new (
                position INTEGER PRIMARY KEY,
                product_id TEXT NOT NULL,
                image TEXT NOT NULL
            );
            INSERT INTO promotions_new SELECT position, product_id, image FROM promotions;
            DROP TABLE promotions;
            ALTER TABLE promotions_new RENAME TO promotions;

            CREATE TABLE stock_new (
                sku TEXT PRIMARY KEY,
                on_hand BIGINT NOT NULL,
                held BIGINT NOT NULL DEFAULT 0,
                changed_at BIGINT NOT NULL,
                CHECK (held >= 0 AND on_hand >= held)
            );
            INSERT INTO stock_new SELECT sku, on_hand, held, changed_at FROM stock;
            DROP TABLE stock;
            ALTER TABLE stock_new RENAME TO stock;
            CREATE INDEX stock_by_change ON stock (changed_at);

            CREATE TABLE variants_new (
                sku TEXT NOT NULL,
                revision BIGINT NOT NULL,
                product_id TEXT NOT NULL,
                position INTEGER NOT NULL,
                options TEXT NOT NULL,
                price BIGINT NOT NULL CHECK (price >= 0),
                compare_at_price BIGINT,
                weight_grams INTEGER,
                imported_stock INTEGER,
                PRIMARY KEY (sku, revision)
            );
            INSERT INTO variants_new
            SELECT sku, 0, product_id, position, options, price, compare_at_price, weight_grams, imported_stock
            FROM variants;
            DROP TABLE variants;
            ALTER TABLE variants_new RENAME TO variants;
            CREATE INDEX variants_by_product ON variants (product_id, position);
            CREATE INDEX variants_by_revision ON variants (revision, sku);

            CREATE TABLE products_new (
                id TEXT NOT NULL,
                revision BIGINT NOT NULL,
                handle TEXT NOT NULL,
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
                updated_at BIGINT NOT NULL,
                PRIMARY KEY (id, revision)
            );
            INSERT INTO products_new
            SELECT id, 0, handle, style_code, name, description, season_id, theme_id, category_id, tags, materials,
                care_instructions, options, images, promo_image, updated_at
            FROM products;
            DROP TABLE products;
            ALTER TABLE products_new RENAME TO products;
            CREATE UNIQUE INDEX products_by_handle ON products (handle, revision);
            CREATE INDEX products_by_style ON products (style_code, id);
            CREATE INDEX products_by_revision ON products (revision, id);

            CREATE VIEW current_products AS
            SELECT p.* FROM products p
            WHERE p.revision = (
                SELECT MAX(r.revision) FROM products r
                WHERE r.id = p.id AND r.revision <= (SELECT published FROM catalog_version)
            );
            CREATE VIEW current_variants AS
            SELECT v.* FROM variants v
            WHERE v.revision = (
                SELECT MAX(r.revision) FROM variants r
                WHERE r.sku = v.sku AND r.revision <= (SELECT published FROM catalog_version)
            );

            CREATE TABLE scheduled_prices (
                id TEXT PRIMARY KEY,
                sku TEXT NOT NULL,
                price BIGINT NOT NULL CHECK (price >= 0),
                starts_at BIGINT NOT NULL,
                ends_at BIGINT NOT NULL CHECK (ends_at > starts_at),
                created_at BIGINT NOT NULL
            );
            CREATE INDEX scheduled_prices_by_sku ON scheduled_prices (sku, starts_at, id);

            DROP TABLE import_records;
            DROP TABLE import_assets;
            DROP TABLE imports;
            CREATE TABLE imports (
                id TEXT PRIMARY KEY,
                phase TEXT NOT NULL,
                record TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                active_at BIGINT NOT NULL
            );
            CREATE INDEX imports_unfinished ON imports (id) WHERE phase <> 'ended';
            CREATE TABLE import_lease (
                singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
                import_id TEXT,
                holder TEXT,
                expires_at BIGINT NOT NULL
            );
            INSERT INTO import_lease (singleton, expires_at) VALUES (1, 0);
            CREATE TABLE import_records (
                import_id TEXT NOT NULL,
                position BIGINT NOT NULL,
                record TEXT NOT NULL,
                PRIMARY KEY (import_id, position)
            );
            CREATE TABLE import_assets (
                import_id TEXT NOT NULL,
                path TEXT NOT NULL,
                media_type TEXT NOT NULL,
                digest BYTEA NOT NULL,
                bytes BYTEA NOT NULL,
                PRIMARY KEY (import_id, path)
            );
            CREATE TABLE import_products (
                import_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                PRIMARY KEY (import_id, product_id)
            );
            CREATE TABLE import_changes (
                import_id TEXT NOT NULL,
                key TEXT NOT NULL,
                change TEXT NOT NULL,
                PRIMARY KEY (import_id, key)
            );
            CREATE TABLE import_errors (
                import_id TEXT NOT NULL,
                position INTEGER NOT NULL,
                line INTEGER NOT NULL,
                error TEXT NOT NULL,
                PRIMARY KEY (import_id, position)
            );
            """
    )
}
