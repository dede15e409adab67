extension Migration {
    /// Gives products a version and a status with the times of its changes; variants can be removed.
    ///
    /// Servers of earlier releases read `current_products`, which therefore still has only the products on sale.
    static let products = Migration(
        version: 13,
        name: "products",
        sql: """
            ALTER TABLE products ADD COLUMN status TEXT NOT NULL DEFAULT 'published';
            ALTER TABLE products ADD COLUMN publish_at BIGINT;
            ALTER TABLE products ADD COLUMN withdraw_at BIGINT;
            ALTER TABLE products ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
            ALTER TABLE variants ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE variants ADD COLUMN stock_change BIGINT;
            CREATE INDEX products_by_publication ON products (publish_at) WHERE publish_at IS NOT NULL;
            CREATE INDEX products_by_withdrawal ON products (withdraw_at) WHERE withdraw_at IS NOT NULL;

            DROP VIEW current_products;
            DROP VIEW current_variants;
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

            """
    )

    /// Stores the last quantity of an edited export that was added to the stock of each SKU, so that importing the same
    /// export again does not add it again.
    static let exportEdits = Migration(
        version: 18,
        name: "exportEdits",
        sql: """
            ALTER TABLE variants ADD COLUMN export_id TEXT;
            ALTER TABLE variants ADD COLUMN export_stock BIGINT;
            CREATE TABLE export_edits (
                sku TEXT PRIMARY KEY,
                export_id TEXT NOT NULL,
                stock BIGINT NOT NULL
            );

            """
    )

    /// Stores the handles that feeds use for products, as spelled there, and previous handles of products, so that
    /// another import finds its products, and old addresses lead to them.
    static let handles = Migration(
        version: 22,
        name: "handles",
        sql: """
            ALTER TABLE products ADD COLUMN feed_handle TEXT;
            CREATE INDEX products_by_feed_handle ON products (feed_handle) WHERE feed_handle IS NOT NULL;
            CREATE TABLE former_handles (
                handle TEXT PRIMARY KEY,
                product_id TEXT NOT NULL
            );

            """
    )
}
