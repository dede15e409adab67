extension Baseline {
    /// The catalogue, stock and imports.
    ///
    /// Products and variants are stored by revision, so that a large import can be written in many short transactions
    /// and published in one. They are read through the views: `all_products` has drafts and withdrawn products too.
    ///
    /// `catalog_changes` has the products that each version of the catalogue changed, so that servers need not read all
    /// of them again. `export_edits` has the last quantity of an edited export that was added to the stock of each SKU,
    /// so that importing the same export again does not add it again. Feed handles are spelled as in the feed, and former
    /// handles lead to their products, so that another import and old addresses find them.
    static let catalog = """
        CREATE TABLE catalog_version (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            version BIGINT NOT NULL,
            published BIGINT NOT NULL DEFAULT 0,
            revision BIGINT NOT NULL DEFAULT 0
        );
        INSERT INTO catalog_version (singleton, version) VALUES (1, 0);
        CREATE TABLE catalog_changes (
            version BIGINT NOT NULL,
            product_id TEXT,
            revision BIGINT,
            CHECK ((product_id IS NULL) <> (revision IS NULL))
        );
        CREATE INDEX catalog_changes_by_version ON catalog_changes (version);
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
        CREATE TABLE promotions (
            position INTEGER PRIMARY KEY,
            product_id TEXT NOT NULL,
            image TEXT NOT NULL
        );
        CREATE TABLE assets (
            path TEXT PRIMARY KEY,
            media_type TEXT NOT NULL,
            digest BYTEA NOT NULL,
            bytes BYTEA NOT NULL
        );

        CREATE TABLE products (
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
            status TEXT NOT NULL DEFAULT 'published',
            publish_at BIGINT,
            withdraw_at BIGINT,
            version BIGINT NOT NULL DEFAULT 1,
            feed_handle TEXT,
            PRIMARY KEY (id, revision)
        );
        CREATE UNIQUE INDEX products_by_handle ON products (handle, revision);
        CREATE INDEX products_by_style ON products (style_code, id);
        CREATE INDEX products_by_revision ON products (revision, id);
        CREATE INDEX products_by_publication ON products (publish_at) WHERE publish_at IS NOT NULL;
        CREATE INDEX products_by_withdrawal ON products (withdraw_at) WHERE withdraw_at IS NOT NULL;
        CREATE INDEX products_by_feed_handle ON products (feed_handle) WHERE feed_handle IS NOT NULL;
        CREATE TABLE former_handles (
            handle TEXT PRIMARY KEY,
            product_id TEXT NOT NULL
        );
        CREATE TABLE variants (
            sku TEXT NOT NULL,
            revision BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            position INTEGER NOT NULL,
            options TEXT NOT NULL,
            price BIGINT NOT NULL CHECK (price >= 0),
            compare_at_price BIGINT,
            weight_grams INTEGER,
            imported_stock INTEGER,
            is_removed INTEGER NOT NULL DEFAULT 0,
            stock_change BIGINT,
            export_id TEXT,
            export_stock BIGINT,
            PRIMARY KEY (sku, revision)
        );
        CREATE INDEX variants_by_product ON variants (product_id, position);
        CREATE INDEX variants_by_revision ON variants (revision, sku);
        CREATE VIEW all_products AS
        SELECT p.* FROM products p
        WHERE p.revision = (
            SELECT MAX(r.revision) FROM products r
            WHERE r.id = p.id AND r.revision <= (SELECT published FROM catalog_version)
        );
        CREATE VIEW current_products AS
        SELECT p.* FROM products p
        WHERE p.status = 'published' AND p.revision = (
            SELECT MAX(r.revision) FROM products r
            WHERE r.id = p.id AND r.revision <= (SELECT published FROM catalog_version)
        );
        CREATE VIEW current_variants AS
        SELECT v.* FROM variants v
        WHERE v.is_removed = 0 AND v.revision = (
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
        CREATE INDEX scheduled_prices_by_start ON scheduled_prices (starts_at);
        CREATE INDEX scheduled_prices_by_end ON scheduled_prices (ends_at);
        CREATE TABLE stock (
            sku TEXT PRIMARY KEY,
            on_hand BIGINT NOT NULL,
            held BIGINT NOT NULL DEFAULT 0,
            changed_at BIGINT NOT NULL,
            CHECK (held >= 0 AND on_hand >= held)
        );
        CREATE INDEX stock_by_change ON stock (changed_at);
        CREATE TABLE export_edits (
            sku TEXT PRIMARY KEY,
            export_id TEXT NOT NULL,
            stock BIGINT NOT NULL
        );

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
}
