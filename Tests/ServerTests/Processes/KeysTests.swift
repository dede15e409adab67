import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("pouch-server keys", .timeLimit(.minutes(10)), .inFolder)
struct KeysProcessTests {
    @Test func `Keys are listed, rotated and retired, but never shown, and one always stays`() async throws {
        let database = try await TestDatabase(in: TemporaryFolder.current).text
        @Sendable func keys(_ arguments: String...) async throws -> ServerProgram.Outcome {
            try await ServerProgram.run(["keys"] + arguments + ["--database", database])
        }
        #expect(try await keys("list").output.contains("There are no keys yet."))

        try await ServerProgram.serve(on: database) { server in
            let guest = try await server.guest()
            let first = try await keys("list").output.split(separator: "\n")
            try #require(first.count == 1 && first[0].hasSuffix("current"))
            let old = String(first[0].prefix { $0 != " " })

            try await keys("retire", old).expectFailure("Run “pouch-server keys rotate” first.")
            let rotated = try await keys("rotate").good()
            #expect(rotated.output.contains("sign with it within 10 seconds"))
            let both = try await keys("list").output.split(separator: "\n")
            #expect(both.count == 2 && both[0].hasSuffix("current") && both[1].hasPrefix(old))
            try await guest.call(Contract.cart).good()

            try await keys("retire", old).good()
            try await eventually { try await guest.call(Contract.cart).status == 401 }
            try await keys("retire", old).expectFailure("There is no key \(old).")

            let all = try await keys("list")
            let secrets = try await ShopFolder.rows("SELECT secret FROM signing_keys", in: database)
            try #require(secrets.count == 1)
            let secret = try secrets[0].data(0)
            for text in [secret.base64EncodedString(), secret.map { String(format: "%02x", $0) }.joined()] {
                #expect(!(rotated.output + both.joined() + all.output).contains(text))
            }
        }
    }
}
