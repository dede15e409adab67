extension Baseline {
    /// Carts, discounts, orders, and rides.
    ///
    /// The head of a cart has the sums over its lines, with the version of the cart that they belong to.
    ///
    /// A partial refund hides whether an order was sent, so the index of unsent orders checks the history. Statuses are
    /// excluded rather than listed: for a list, SQLite would use the index by status, and sort all its orders.
    ///
    /// A ride is active while it has a due time. Coordinates of drivers are in millionths of a degree. The index by ride
    /// omits waiting drivers: SQLite used it to find all of them.
    static let orders = """
        CREATE TABLE carts (
            owner_id TEXT PRIMARY KEY,
            version BIGINT NOT NULL,
            shipping_method_id TEXT,
            shipping_address TEXT,
            changes TEXT NOT NULL,
            updated_at BIGINT NOT NULL,
            discount_code TEXT,
            summed_version BIGINT,
            next_position BIGINT,
            line_count INTEGER,
            grams BIGINT,
            sums TEXT,
            includes_tax INTEGER,
            priced_version BIGINT,
            priced_from BIGINT,
            priced_until BIGINT
        );
        CREATE TABLE cart_lines (
            owner_id TEXT NOT NULL,
            sku TEXT NOT NULL,
            position BIGINT NOT NULL,
            quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 999),
            seen_price BIGINT NOT NULL,
            PRIMARY KEY (owner_id, sku)
        );
        CREATE TABLE discounts (
            id TEXT PRIMARY KEY,
            code TEXT NOT NULL UNIQUE,
            rule TEXT NOT NULL,
            starts_at BIGINT,
            ends_at BIGINT,
            minimum BIGINT,
            products TEXT,
            categories TEXT,
            use_limit INTEGER,
            limit_per_account INTEGER,
            used INTEGER NOT NULL DEFAULT 0,
            created_at BIGINT NOT NULL,
            CHECK (used >= 0 AND (use_limit IS NULL OR used <= use_limit))
        );
        CREATE TABLE discount_uses (
            discount_id TEXT NOT NULL,
            owner_id TEXT NOT NULL,
            uses INTEGER NOT NULL CHECK (uses >= 0),
            PRIMARY KEY (discount_id, owner_id)
        );
        CREATE INDEX discount_uses_by_owner ON discount_uses (owner_id);

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
            created_at BIGINT NOT NULL,
            lines TEXT NOT NULL DEFAULT '[]',
            history TEXT NOT NULL DEFAULT '[]',
            discount TEXT,
            hold_expires_at BIGINT NOT NULL DEFAULT 9000000000000,
            hold_released INTEGER NOT NULL DEFAULT 0,
            ride_id TEXT,
            delivery_failure TEXT,
            grams BIGINT NOT NULL DEFAULT 0,
            tracking TEXT,
            is_searchable INTEGER NOT NULL DEFAULT 0,
            anonymise_at BIGINT
        );
        CREATE INDEX orders_by_owner ON orders (owner_id, id);
        CREATE INDEX orders_pending ON orders (ledger_id, id) WHERE status = 'pending';
        CREATE INDEX orders_by_status ON orders (status, id);
        CREATE INDEX orders_holding ON orders (status, hold_released, hold_expires_at)
            WHERE status = 'pending' AND hold_released = 0;
        CREATE INDEX orders_not_searchable ON orders (id) WHERE is_searchable = 0;
        CREATE INDEX orders_unsent ON orders (id)
            WHERE status NOT IN ('pending', 'cancelled', 'refunded') AND history NOT LIKE '%"fulfilled"%';
        CREATE INDEX orders_to_anonymise ON orders (anonymise_at) WHERE anonymise_at IS NOT NULL;
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
        CREATE TABLE order_notes (
            id TEXT PRIMARY KEY,
            order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
            text TEXT NOT NULL,
            author TEXT,
            created_at BIGINT NOT NULL
        );
        CREATE INDEX order_notes_by_order ON order_notes (order_id, id);
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

        CREATE TABLE drivers (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            species TEXT NOT NULL,
            temper TEXT NOT NULL,
            rating INTEGER NOT NULL CHECK (rating BETWEEN 10 AND 50),
            latitude BIGINT NOT NULL,
            longitude BIGINT NOT NULL,
            near_cell BIGINT NOT NULL,
            far_cell BIGINT NOT NULL,
            ride_id TEXT
        );
        CREATE UNIQUE INDEX drivers_by_ride ON drivers (ride_id) WHERE ride_id IS NOT NULL;
        CREATE INDEX drivers_waiting_near ON drivers (species, near_cell) WHERE ride_id IS NULL;
        CREATE INDEX drivers_waiting_far ON drivers (species, far_cell) WHERE ride_id IS NULL;
        CREATE INDEX drivers_busy_far ON drivers (species, far_cell) WHERE ride_id IS NOT NULL;
        CREATE TABLE rides (
            id TEXT PRIMARY KEY,
            rider_id TEXT,
            order_id TEXT,
            species TEXT NOT NULL,
            status TEXT NOT NULL,
            waypoints TEXT NOT NULL,
            fare BIGINT NOT NULL,
            currency TEXT NOT NULL,
            distance_metres BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            history TEXT NOT NULL,
            driver_id TEXT,
            engagement TEXT,
            refusals TEXT NOT NULL,
            due_at BIGINT,
            version BIGINT NOT NULL,
            CHECK ((rider_id IS NULL) <> (order_id IS NULL)),
            CHECK ((due_at IS NULL) =
                (status IN ('completed', 'cancelledByRider', 'cancelledByDriver', 'noDriversAvailable')))
        );
        CREATE INDEX rides_by_rider ON rides (rider_id, id);
        CREATE INDEX rides_by_order ON rides (order_id);
        CREATE UNIQUE INDEX rides_active_by_rider ON rides (rider_id) WHERE due_at IS NOT NULL;
        CREATE UNIQUE INDEX rides_active_by_driver ON rides (driver_id) WHERE due_at IS NOT NULL;
        CREATE INDEX rides_due ON rides (due_at) WHERE due_at IS NOT NULL;

        """

    /// Lists the units of an order while it is pending and its hold is not released. Triggers keep the list when an
    /// order is written. It has one index, since each order writes and deletes a row in it.
    static let holds = """
        CREATE TABLE holds (
            sku TEXT NOT NULL,
            expires_at BIGINT NOT NULL,
            order_id TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            PRIMARY KEY (sku, expires_at, order_id)
        )
        """
    static let holdsOnSQLite =
        holds + """
             WITHOUT ROWID;
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

            """
    /// PostgreSQL finds the holds of an order by their whole key. The list is nearly empty, but has the space of all
    /// orders that ended since the last vacuum, and a plan made while it was small would read all of that for each
    /// order. Without truncation, the planner takes a table with much space for a large one, and uses its index.
    static let holdsOnPostgres =
        holds + """
            ;
            CREATE FUNCTION hold_units() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO holds (order_id, sku, quantity, expires_at)
                SELECT NEW.id, value ->> 'sku', (value ->> 'quantity')::integer, NEW.hold_expires_at
                FROM json_array_elements(NEW.lines::json);
                RETURN NULL;
            END $$;
            CREATE FUNCTION release_units() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
            DECLARE
                unit TEXT;
            BEGIN
                FOR unit IN SELECT value ->> 'sku' FROM json_array_elements(OLD.lines::json) LOOP
                    DELETE FROM holds
                    WHERE sku = unit AND expires_at = OLD.hold_expires_at AND order_id = OLD.id;
                END LOOP;
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
            ALTER TABLE holds SET (vacuum_truncate = off);

            """
}
