import PouchDomain
import PouchEntities

extension Migration {
    /// Converts an order to one row with its lines and history as JSON, and adds refunds and holds.
    static let commerce = Migration(
        version: 2,
        name: "commerce",
        sql: """
            ALTER TABLE carts ADD COLUMN discount_code TEXT;

            ALTER TABLE orders ADD COLUMN lines TEXT NOT NULL DEFAULT '[]';
            ALTER TABLE orders ADD COLUMN history TEXT NOT NULL DEFAULT '[]';
            ALTER TABLE orders ADD COLUMN discount TEXT;
            ALTER TABLE orders ADD COLUMN hold_expires_at BIGINT NOT NULL DEFAULT 9000000000000;
            ALTER TABLE orders ADD COLUMN hold_released INTEGER NOT NULL DEFAULT 0;
            CREATE TABLE refunds (
                id TEXT PRIMARY KEY,
                order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
                amount BIGINT NOT NULL CHECK (amount >= 0),
                tax BIGINT NOT NULL,
                currency TEXT NOT NULL,
                lines TEXT NOT NULL,
                reason TEXT,
                created_at BIGINT NOT NULL,
                is_pending INTEGER NOT NULL
            );
            CREATE INDEX refunds_by_order ON refunds (order_id);
            CREATE INDEX refunds_pending ON refunds (id) WHERE is_pending = 1;
            INSERT INTO refunds (id, order_id, amount, tax, currency, lines, created_at, is_pending)
                SELECT 'ref_' || SUBSTR(payment_id, 5), id, payment_amount, 0, currency, '[]', created_at, 1
                FROM orders WHERE status = 'cancelled' AND payment_status = 'captured';

            DROP INDEX orders_unsettled;
            CREATE INDEX orders_pending ON orders (ledger_id, id) WHERE status = 'pending';
            CREATE INDEX orders_holding ON orders (hold_expires_at) WHERE status = 'pending' AND hold_released = 0;
            CREATE INDEX orders_by_status ON orders (status, id);
            """,
        convert: { connection in
            try foldLines(connection)
            try foldEvents(connection)
            try connection.script("DROP TABLE order_lines; DROP TABLE order_events;")
        }
    )

    private static func foldLines(_ connection: any SQLConnection) throws {
        let rows = try connection.rows(
            """
            SELECT l.order_id, o.currency, l.sku, l.name, l.options, l.quantity, l.unit_price, l.line_total, l.discount,
                l.tax, l.refunded_quantity
            FROM order_lines l JOIN orders o ON o.id = l.order_id ORDER BY l.order_id, l.position
            """, [])
        for (id, rows) in Dictionary(grouping: rows, by: { try? $0.text(0) }) {
            let lines = try rows.map { row in
                let currency = try row.currency(1)
                return OrderLine(
                    sku: try row.text(2), name: try row.text(3), options: try row.json(4), quantity: try row.int(5),
                    unitPrice: Money(try row.integer(6), currency), lineTotal: Money(try row.integer(7), currency),
                    discount: Money(try row.integer(8), currency), tax: Money(try row.integer(9), currency),
                    refundedQuantity: try row.int(10))
            }
            try connection.run(
                "UPDATE orders SET lines = ? WHERE id = ?", [try .json(lines), .optional(id)])
        }
    }

    private static func foldEvents(_ connection: any SQLConnection) throws {
        let rows = try connection.rows(
            "SELECT order_id, status, at FROM order_events ORDER BY order_id, position", [])
        for (id, rows) in Dictionary(grouping: rows, by: { try? $0.text(0) }) {
            let history = try rows.map {
                Order.Event(status: OrderStatus(rawValue: try $0.text(1)) ?? .unrecognised, at: try $0.date(2))
            }
            try connection.run(
                "UPDATE orders SET history = ? WHERE id = ?", [try .json(history), .optional(id)])
        }
    }
}

extension Migration {
    /// Replaces the index of holds by one that SQLite prefers; it used the index by status, and read every pending
    /// order.
    static let holds = Migration(
        version: 5,
        name: "holds",
        sql: """
            DROP INDEX orders_holding;
            CREATE INDEX orders_holding ON orders (status, hold_released, hold_expires_at)
                WHERE status = 'pending' AND hold_released = 0;

            """
    )
}

extension Migration {
    /// Lists the units that pending orders hold, so that those of an expired hold are found by their SKU, and adds to
    /// the head of a cart the sums over its lines.
    ///
    /// Servers of earlier releases know neither. Triggers keep the list of holds when they write an order. The sums
    /// contain the version of the cart that they belong to, so that they are not valid after a write by such a server.
    static let sums = Migration(
        version: 10,
        name: "sums",
        sql: """
            ALTER TABLE carts ADD COLUMN summed_version BIGINT;
            ALTER TABLE carts ADD COLUMN next_position BIGINT;
            ALTER TABLE carts ADD COLUMN line_count INTEGER;
            ALTER TABLE carts ADD COLUMN grams BIGINT;
            ALTER TABLE carts ADD COLUMN sums TEXT;
            ALTER TABLE carts ADD COLUMN includes_tax INTEGER;
            ALTER TABLE carts ADD COLUMN priced_version BIGINT;
            ALTER TABLE carts ADD COLUMN priced_from BIGINT;
            ALTER TABLE carts ADD COLUMN priced_until BIGINT;

            """,
        // The triggers lock the orders first, so that none is written between them and the copy.
        sqlite: HoldList.table + " WITHOUT ROWID;\n" + HoldList.sqlite,
        postgres: HoldList.table + ";\n" + HoldList.postgres)

    /// Lets PostgreSQL find the holds of an order by their whole key. The list is nearly empty, but has the space of
    /// all orders that ended since the last vacuum, and a plan made while it was small reads all of that for each
    /// order.
    static let holdSearch = Migration(
        version: 19,
        name: "holdSearch",
        sql: "",
        postgres: HoldList.releaseByKey)

    /// Finds the orders that still have to be sent without reading those that were sent. A partial refund hides whether
    /// an order was sent, so the history is checked. Statuses are excluded rather than listed: for a list, SQLite would
    /// use the index by status, and sort all its orders.
    static let unsentOrders = Migration(
        version: 20,
        name: "unsentOrders",
        sql: """
            CREATE INDEX orders_unsent ON orders (id)
                WHERE status NOT IN ('pending', 'cancelled', 'refunded') AND history NOT LIKE '%"fulfilled"%';

            """
    )

    /// Lists the units of an order while it is pending and its hold is not released, including those of existing
    /// orders.
    private enum HoldList {
        /// With one index, since each order writes and deletes a row in it.
        static let table = """
            CREATE TABLE holds (
                sku TEXT NOT NULL,
                expires_at BIGINT NOT NULL,
                order_id TEXT NOT NULL,
                quantity INTEGER NOT NULL,
                PRIMARY KEY (sku, expires_at, order_id)
            )
            """
        static let releaseByKey = """
            CREATE OR REPLACE FUNCTION release_units() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
            DECLARE
                unit TEXT;
            BEGIN
                FOR unit IN SELECT value ->> 'sku' FROM json_array_elements(OLD.lines::json) LOOP
                    DELETE FROM holds
                    WHERE sku = unit AND expires_at = OLD.hold_expires_at AND order_id = OLD.id;
                END LOOP;
                RETURN NULL;
            END $$;
            -- For the statements of the catalogue and of carts: the planner takes a table with much space for a large one,
            -- and uses its index.
            ALTER TABLE holds SET (vacuum_truncate = off);
            """
        static let sqlite = """
            CREATE TRIGGER orders_hold AFTER INSERT ON orders
            WHEN NEW.status = 'pending' AND NEW.hold_released = 0
            BEGIN
                INSERT INTO holds (order_id, sku, quantity, expires_at)
                SELECT NEW.id, json_extract(value, '$.sku'), json_extract(value, '$.quantity'), NEW.hold_expires_at
                FROM json_each(NEW.lines);
            END;
            CREATE TRIGGER orders_release AFTER UPDATE OF status, hold_released ON orders
            WHEN OLD.status = 'pending' AND OLD.hold_released = 0
                AND (NEW.status <> 'pending' OR NEW.hold_released <> 0)
            BEGIN
                DELETE FROM holds WHERE order_id = OLD.id AND expires_at = OLD.hold_expires_at
                    AND sku IN (SELECT json_extract(value, '$.sku') FROM json_each(OLD.lines));
            END;
            CREATE TRIGGER orders_delete AFTER DELETE ON orders
            WHEN OLD.status = 'pending' AND OLD.hold_released = 0
            BEGIN
                DELETE FROM holds WHERE order_id = OLD.id AND expires_at = OLD.hold_expires_at
                    AND sku IN (SELECT json_extract(value, '$.sku') FROM json_each(OLD.lines));
            END;

            INSERT INTO holds (order_id, sku, quantity, expires_at)
            SELECT o.id, json_extract(l.value, '$.sku'), SUM(json_extract(l.value, '$.quantity')), o.hold_expires_at
            FROM orders o, json_each(o.lines) l
            WHERE o.status = 'pending' AND o.hold_released = 0 GROUP BY 1, 2, 4;
            """
        static let postgres = """
            CREATE FUNCTION hold_units() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO holds (order_id, sku, quantity, expires_at)
                SELECT NEW.id, value ->> 'sku', (value ->> 'quantity')::integer, NEW.hold_expires_at
                FROM json_array_elements(NEW.lines::json);
                RETURN NULL;
            END $$;
            CREATE FUNCTION release_units() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                DELETE FROM holds WHERE order_id = OLD.id AND expires_at = OLD.hold_expires_at
                    AND sku IN (SELECT value ->> 'sku' FROM json_array_elements(OLD.lines::json));
                RETURN NULL;
            END $$;
            CREATE TRIGGER orders_hold AFTER INSERT ON orders FOR EACH ROW
            WHEN (NEW.status = 'pending' AND NEW.hold_released = 0)
            EXECUTE FUNCTION hold_units();
            CREATE TRIGGER orders_release AFTER UPDATE OF status, hold_released ON orders FOR EACH ROW
            WHEN (OLD.status = 'pending' AND OLD.hold_released = 0
                AND (NEW.status <> 'pending' OR NEW.hold_released <> 0))
            EXECUTE FUNCTION release_units();
            CREATE TRIGGER orders_delete AFTER DELETE ON orders FOR EACH ROW
            WHEN (OLD.status = 'pending' AND OLD.hold_released = 0)
            EXECUTE FUNCTION release_units();

            INSERT INTO holds (order_id, sku, quantity, expires_at)
            SELECT o.id, l.value ->> 'sku', SUM((l.value ->> 'quantity')::integer), o.hold_expires_at
            FROM orders o, json_array_elements(o.lines::json) l
            WHERE o.status = 'pending' AND o.hold_released = 0 GROUP BY 1, 2, 4;
            """
    }
}
