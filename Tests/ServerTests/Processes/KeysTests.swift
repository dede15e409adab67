import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("pouch-server keys", .timeLimit(.minutes(10)))
struct KeysProcessTests {
    private func keys(_ arguments: String..., database: String) async throws -> ServerProgram.Outcome {
        try await ServerProgram.run(["keys"] + arguments + ["--database", database])
    }

    @Test func `Keys are listed, rotated and retired, but never shown, and one always stays`() async throws {
        let database = try await TestDatabase(in: folder).text
        let empty = try await keys("list", database: database)
        #expect(empty.output.contains("There are no keys yet."))

        let outcome = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            let guest = try await server.guest()
            let first = try await keys("list", database: database).output.split(separator: "\n")
            try #require(first.count == 1 && first[0].hasSuffix("current"))
            let old = String(first[0].prefix { $0 != " " })

            let refused = try await keys("retire", old, database: database)
            #expect(refused.status == .exited(1))
            #expect(refused.errors.contains("Run “pouch-server keys rotate” first."))

            let rotated = try await keys("rotate", database: database)
            #expect(rotated.status == .exited(0) && rotated.output.contains("sign with it within 10 seconds"))
            let both = try await keys("list", database: database).output.split(separator: "\n")
            #expect(both.count == 2 && both[0].hasSuffix("current") && both[1].hasPrefix(old))
            try await guest.call(Contract.cart).good()

            #expect(try await keys("retire", old, database: database).status == .exited(0))
            try await eventually { try await guest.call(Contract.cart).status == 401 }
            let again = try await keys("retire", old, database: database)
            #expect(again.status == .exited(1) && again.errors.contains("There is no key \(old)."))

            let all = try await keys("list", database: database)
            let opened = try DatabaseAddress(database).connect()
            let secrets = try await opened.read { connection in
                try connection.rows("SELECT secret FROM signing_keys", []).map { try $0.data(0) }
            }
            try await opened.close()
            try #require(secrets.count == 1)
            for text in [secrets[0].base64EncodedString(), secrets[0].map { String(format: "%02x", $0) }.joined()] {
                #expect(!(rotated.output + both.joined() + all.output).contains(text))
            }
        }
        #expect(outcome.status == .exited(0))
    }
}
