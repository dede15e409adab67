import ServerTesting
import Testing

@Suite("Notifications of transactions", .timeLimit(.minutes(5)))
struct NotificationTests {
    private struct Refused: Error {}

    private func open(
        _ body: @escaping @Sendable (_ database: any Database, _ another: any Database) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let address = try await TestDatabase(in: folder).address
            let (database, another) = (try address.connect(), try address.connect())
            try await body(database, another)
            try await another.close()
            try await database.close()
        }
    }

    /// Listens from now on; on a server, once the connection of the first listener is there.
    private func listen(_ database: any Database) async throws -> AsyncStream<DatabaseNotification> {
        let notifications = database.notifications()
        guard TestDatabase.isPostgres else { return notifications }
        for await notification in notifications.prefix(1) { #expect(notification == .gap) }
        return notifications
    }

    private func texts(_ notifications: AsyncStream<DatabaseNotification>, until last: String) async -> [String] {
        var texts: [String] = []
        for await case .text(let text) in notifications {
            texts.append(text)
            if text == last { break }
        }
        return texts
    }

    @Test(arguments: [NotificationReach.process, .everyone])
    func `Listeners hear what was committed, and nothing that was rolled back`(reach: NotificationReach) async throws {
        try await open { database, _ in
            let (one, other) = (try await listen(database), database.notifications())
            try? await database.write { connection in
                try connection.notify("never", reach)
                throw Refused()
            }
            try await database.write { connection in
                try connection.notify("first", reach)
                try connection.change(notifying: "it's second", reach)
            }
            // Also a transaction without other statements.
            try await database.write { try $0.notify("empty", reach) }
            try await database.write { try $0.change(notifying: "last", reach) }
            for listener in [one, other] {
                #expect(await texts(listener, until: "last") == ["first", "it's second", "empty", "last"])
            }
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `Other processes hear it, and after a lost connection learn that something may be missing`() async throws {
        try await open { database, another in
            let listener = try await listen(another)
            try await database.write { try $0.notify("own", .process) }
            try await database.write { try $0.change(notifying: "before", .everyone) }
            #expect(await texts(listener, until: "before") == ["before"])
            _ = try await database.write { connection in
                try connection.rows(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE query LIKE 'LISTEN%' AND datname = current_database()
                    """, [])
            }
            for await notification in listener.prefix(1) { #expect(notification == .gap) }
            try await database.write { try $0.change(notifying: "after", .everyone) }
            #expect(await texts(listener, until: "after") == ["after"])
        }
    }

    @Test(.inFolder) func `Listening ends when the database is closed`() async throws {
        let database = try await TestDatabase(in: TemporaryFolder.current).address.connect()
        let notifications = try await listen(database)
        try await database.close()
        for await _ in notifications {}
    }
}

extension SQLConnection {
    /// Changes something, and sends a notification.
    fileprivate func change(notifying text: String, _ reach: NotificationReach) throws {
        try notify(text, reach)
        try run("UPDATE catalog_version SET version = version + 1", [])
    }
}
