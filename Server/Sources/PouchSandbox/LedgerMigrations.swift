import PouchStorage

extension Migration {
    static let ledger = [charges, refunds]

    /// The first ledgers had these tables and no table of migrations, hence `IF NOT EXISTS`.
    private static let charges = Migration(
        version: 1,
        name: "charges",
        sql: """
            CREATE TABLE IF NOT EXISTS ledger (singleton INTEGER PRIMARY KEY, id TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS charges (
                key TEXT PRIMARY KEY,
                status TEXT NOT NULL CHECK (status IN ('captured', 'declined', 'voided', 'refunded')),
                decline_code TEXT,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL
            );
            """
    )

    /// Times are milliseconds since 1970, amounts are minor units. `request` is the fingerprint of the request; it is
    /// NULL for charges of version 1 and for keys that were voided before any charge.
    private static let refunds = Migration(
        version: 2,
        name: "refunds",
        sql: """
            CREATE TABLE booked_charges (
                key TEXT PRIMARY KEY,
                request TEXT,
                status TEXT NOT NULL CHECK (status IN ('authorized', 'captured', 'declined', 'voided')),
                decline_code TEXT,
                amount BIGINT NOT NULL,
                currency TEXT,
                captured BIGINT NOT NULL CHECK (captured BETWEEN 0 AND amount),
                refunded BIGINT NOT NULL CHECK (refunded BETWEEN 0 AND captured),
                created_at BIGINT
            ) WITHOUT ROWID;
            INSERT INTO booked_charges
            SELECT key, NULL, CASE status WHEN 'refunded' THEN 'captured' ELSE status END, decline_code, amount,
                NULLIF(currency, ''), CASE WHEN status IN ('captured', 'refunded') THEN amount ELSE 0 END,
                CASE status WHEN 'refunded' THEN amount ELSE 0 END, NULL
            FROM charges;
            DROP TABLE charges;
            ALTER TABLE booked_charges RENAME TO charges;

            CREATE TABLE refunds (
                key TEXT PRIMARY KEY,
                charge_key TEXT NOT NULL REFERENCES charges (key),
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                created_at BIGINT
            ) WITHOUT ROWID;
            INSERT INTO refunds
            SELECT key, key, refunded, currency, NULL FROM charges WHERE refunded > 0;
            """
    )
}
