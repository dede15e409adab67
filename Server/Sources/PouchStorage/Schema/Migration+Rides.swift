extension Migration {
    /// Adds drivers, rides, and orders that a ride delivers. A ride is active while it has a due time. Coordinates of
    /// drivers are in millionths of a degree.
    ///
    /// The index by ride omits waiting drivers: SQLite used it to find all of them.
    static let rides = Migration(
        version: 6,
        name: "rides",
        sql: """
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

            ALTER TABLE orders ADD COLUMN ride_id TEXT;
            ALTER TABLE orders ADD COLUMN delivery_failure TEXT;
            ALTER TABLE orders ADD COLUMN grams BIGINT NOT NULL DEFAULT 0;

            """
    )
}
