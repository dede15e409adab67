import PouchStorage

extension SQLDialect {
    static let postgres = SQLDialect(
        sharedRowLock: " FOR SHARE",
        // Any number will do that nothing else in the database takes; this one reads "pouch".
        schemaLock: "SELECT pg_advisory_xact_lock(482755240808);",
        plansByStatistics: true)
}
