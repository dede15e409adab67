import PouchStorage

extension SQLDialect {
    static let postgres = SQLDialect(
        rowLock: " FOR UPDATE",
        freeRowLock: " FOR UPDATE SKIP LOCKED",
        // Any number will do that nothing else in the database takes; this one reads "pouch".
        schemaLock: "SELECT pg_advisory_xact_lock(482755240808);",
        plansByStatistics: true)
}
