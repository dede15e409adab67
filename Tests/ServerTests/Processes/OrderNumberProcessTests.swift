import Foundation
import PouchEntities
import PouchStorage
import ServerTesting
import Subprocess
import Testing

@Suite("Order numbers of processes", .enabled(if: !TestDatabase.isPostgres), .timeLimit(.minutes(5)))
struct OrderNumberProcessTests {
    /// Buys once from a server of its own.
    private func buy(_ database: String, signal: Signal = .terminate) async throws -> String {
        let number = Text()
        _ = try await ServerProgram.serve("--port", "0", "--database", database, signal: signal) { server in
            await number.set(try await server.guest().buyNow().good().number)
        }
        return await number.value
    }

    @Test func `A server that starts alone goes on after the latest order, also after a kill`() async throws {
        let database = try await ShopFolder.stocked(folder)
        for expected in ["P-10001", "P-10002", "P-10003"] {
            #expect(try await buy(database, signal: .kill) == expected)
        }
        #expect(try await buy(database) == "P-10004")
        #expect(try await buy(database) == "P-10005")
    }

    @Test func `After a restore no number is given out again, also after a kill`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let copy = folder.appending(path: "copy.sqlite").path
        #expect(try await buy(database) == "P-10001")
        let made = try await ServerProgram.run("backup", "--database", database, copy)
        try #require(made.status == .exited(0))
        #expect(try await buy(database) == "P-10002")
        let restored = try await ServerProgram.run("restore", "--database", database, copy)
        #expect(restored.status == .exited(0) && restored.output.contains("The next order number is P-12001"))
        #expect(try await buy(database, signal: .kill) == "P-12001")
        #expect(try await buy(database) == "P-12002")

        // Nothing says how many numbers were given out since the backup.
        let elsewhere = "sqlite:" + folder.appending(path: "elsewhere.sqlite").path
        let moved = try await ServerProgram.run("restore", "--database", elsewhere, copy)
        #expect(moved.output.contains("The next order number is P-21001"), "\(moved.output)")
    }
}

private actor Text {
    private(set) var value = ""
    func set(_ new: String) { value = new }
}
