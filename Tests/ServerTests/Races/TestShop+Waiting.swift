extension TestShop {
    /// How many sessions of the database wait for others, on PostgreSQL.
    func waiting() async throws -> Int {
        try await rows(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count
    }
}
