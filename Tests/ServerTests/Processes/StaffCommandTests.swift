import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("pouch-server admin and account", .timeLimit(.minutes(5)), .inFolder)
struct StaffCommandProcessTests {
    private let folder = TemporaryFolder.current

    @Test func `Staff is listed, promoted and demoted while a server runs, and an owner stays`() async throws {
        let database = try await TestDatabase(in: folder, isFresh: true).text
        @Sendable func admin(_ arguments: String..., input: String = "") async throws -> ServerProgram.Outcome {
            try await ServerProgram.run(["admin"] + arguments + ["--database", database], input: input)
        }
        try await admin("create", "--create", "--email", "root@example.com", input: .password + "\n").good()
        let support = try await admin(
            "create", "--email", "sue@example.com", "--role", "support", input: .password + "\n")
        #expect(support.output.contains("support sue@example.com"), "\(support.errors)")
        let wrong = try await admin("create", "--email", "x@example.com", "--role", "emperor", input: "x\n")
        #expect(wrong.status == .exited(64))

        try await ServerProgram.serve(on: database) { server in
            let ada = try await server.customer()
            let sue = try await server.signIn("sue@example.com")
            try await sue.call(Contract.allOrders).good()
            try await sue.call(Contract.staff).problem(.forbidden)

            let promoted = try await admin("promote", "--email", "Ada@example.com", "--role", "manager")
            #expect(promoted.output == "ada@example.com now has the role manager.\n", "\(promoted.errors)")
            try await ada.call(Contract.allOrders).problem(.forbidden)
            try await server.signIn().call(Contract.allOrders).good()

            for role in ["readOnly", "read only"] {
                let reader = try await admin("promote", "--email", "ada@example.com", "--role", role)
                #expect(reader.output == "ada@example.com now has the role read only.\n", "\(reader.errors)")
            }
            try await admin("promote", "--email", "ada@example.com", "--role", "manager").good()
            let list = try await admin("list").output.split(separator: "\n")
            #expect(list.count == 3 && list.contains { $0.hasPrefix("ada@example.com  manager") }, "\(list)")

            try await admin("demote", "--email", "root@example.com").expectFailure("is the only owner")
            #expect(try await admin("promote", "--email", "sue@example.com").output.contains("owner"))
            try await sue.call(Contract.staff).good()
            let demoted = try await admin("demote", "--email", "root@example.com")
            #expect(demoted.output == "root@example.com is now a customer.\n", "\(demoted.errors)")
            try await admin("promote", "--email", "nobody@example.com").expectFailure("pouch-server admin list")
            let none = try await admin("reset-second-factor", "--email", "sue@example.com")
            #expect(none.status == .exited(1))
        }
    }

    @Test func `The password is read from standard input, and signing in gives an administrator`() async throws {
        let database = try await TestDatabase(in: folder, isFresh: true).text
        func create(_ email: String, _ input: String) async throws -> ServerProgram.Outcome {
            try await ServerProgram.run(
                "admin", "create", "--create", "--email", email, "--database", database, input: input)
        }
        let made = try await create("Root@Example.com", "correct horse\nmore\n").good()
        #expect(made.output.contains("root@example.com"))
        #expect(!made.output.contains("correct") && !made.errors.contains("correct"))
        for (email, input, reason) in [
            ("root@example.com", "another password\n", "already has an account"),
            ("b@example.com", "short\n", "8 to 128"), ("b@example.com", "", "No password"),
        ] {
            try await create(email, input).expectFailure(reason)
        }
        try await ServerProgram.serve(on: database) { server in
            #expect(try await server.signIn("root@example.com").session?.kind == .admin)
        }
    }

    private func createAccount(in database: String, _ arguments: String...) async throws -> ServerProgram.Outcome {
        try await ServerProgram.run(
            ["account", "create", "--name", "Johnny", "--email", "johnny@example.com", "--database", database]
                + arguments, input: .password + "\n")
    }

    @Test func `A customer's account is created once, with --if-empty without an error if it exists`() async throws {
        let database = try await TestDatabase(in: folder, isFresh: true).text
        let made = try await createAccount(in: database, "--create", "--if-empty", "--mobile", "510-736-8754").good()
        #expect(made.output.contains("customer johnny@example.com"))
        let again = try await createAccount(in: database, "--if-empty").good()
        #expect(again.output.contains("nothing was created"))
        try await createAccount(in: database).expectFailure("already has an account")
        try await ServerProgram.serve(on: database) { server in
            let session = try await server.signIn("johnny@example.com").session
            #expect(session?.kind == .customer && session?.profile?.mobileNumber == "510-736-8754")
        }
    }

    @Test func `With --if-empty no account is created in a shop with products`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let refused = try await createAccount(in: database, "--if-empty").good()
        #expect(refused.output.contains("no account was created"))
        try await ServerProgram.serve(on: database) { server in
            try await server.anyone.signIn("johnny@example.com").problem(.invalidCredentials)
        }
    }
}
