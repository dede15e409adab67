#if Persistence
    import GRDB

    /// The schema of the local store, in the order in which it came to be.
    enum StoreMigrations {
        static func migrator() -> DatabaseMigrator { DatabaseMigrator() }
    }
#endif
