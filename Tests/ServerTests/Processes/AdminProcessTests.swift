import Foundation
import PouchEntities
import Subprocess
import TestDatabase
import Testing

@Suite("Administrators from the command line", .timeLimit(.minutes(1)))
struct AdminProcessTests {
    @Test func `The password is the first line of standard input, and signing in gives an administrator`() async throws
    {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder, isFresh: true).text
            func create(_ email: String, _ input: String) async throws -> ServerProgram.Outcome {
                try await ServerProgram.run("admin", "create", "--email", email, "--database", database, input: input)
            }
            let made = try await create("Root@Example.com", "correct horse\nmore\n")
            #expect(made.status == .exited(0) && made.output.contains("root@example.com"), "\(made.errors)")
            #expect(!made.output.contains("correct") && !made.errors.contains("correct"))

            let again = try await create("root@example.com", "another password\n")
            #expect(again.status == .exited(1) && again.errors.contains("has an account already"))
            let short = try await create("b@example.com", "short\n")
            #expect(short.status == .exited(1) && short.errors.contains("8 to 128"))
            let none = try await create("b@example.com", "")
            #expect(none.status == .exited(1) && none.errors.contains("no password"))

            let outcome = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                let session = try await server.signIn("root@example.com").session
                #expect(session?.kind == .admin)
            }
            #expect(outcome.status == .exited(0))
        }
    }

    @Test func `A customer's account is made too; with --if-empty only where there are neither products nor it`()
        async throws
    {
        @Sendable func create(in database: String, _ arguments: String...) async throws -> ServerProgram.Outcome {
            try await ServerProgram.run(
                ["account", "create", "--name", "Johnny", "--email", "johnny@example.com", "--database", database]
                    + arguments, input: "correct horse\n")
        }
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder, isFresh: true).text
            let made = try await create(in: database, "--if-empty", "--mobile", "510-736-8754")
            #expect(made.status == .exited(0) && made.output.contains("customer johnny@example.com"), "\(made.errors)")
            let again = try await create(in: database, "--if-empty")
            #expect(again.status == .exited(0) && again.output.contains("no other was made"), "\(again.errors)")
            let taken = try await create(in: database)
            #expect(taken.status == .exited(1) && taken.errors.contains("has an account already"))
            _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                let session = try await server.signIn("johnny@example.com").session
                #expect(session?.kind == .customer)
                #expect(session?.profile?.mobileNumber == "510-736-8754")
            }
        }
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let refused = try await create(in: database, "--if-empty")
            #expect(refused.status == .exited(0) && refused.output.contains("no account was made"))
            _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                let session = try await server.signIn("johnny@example.com").session
                #expect(session == nil)
            }
        }
    }
}
