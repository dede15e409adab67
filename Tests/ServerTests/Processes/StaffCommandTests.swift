import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("pouch-server admin", .timeLimit(.minutes(5)))
struct StaffCommandProcessTests {
    @Test func `Staff is listed, promoted and demoted while a server runs, and an owner stays`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder, isFresh: true).text
            @Sendable func admin(_ arguments: String..., input: String = "") async throws -> ServerProgram.Outcome {
                try await ServerProgram.run(["admin"] + arguments + ["--database", database], input: input)
            }
            let made = try await admin(
                "create", "--create", "--email", "root@example.com", input: "correct horse\n")
            #expect(made.status == .exited(0), "\(made.errors)")
            let support = try await admin(
                "create", "--email", "sue@example.com", "--role", "support", input: "correct horse\n")
            #expect(support.output.contains("support sue@example.com"), "\(support.errors)")
            let wrong = try await admin("create", "--email", "x@example.com", "--role", "emperor", input: "x\n")
            #expect(wrong.status == .exited(64))

            let outcome = try await ServerProgram.serve("--port", "0", "--database", database) { server in
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
                #expect(
                    try await admin("promote", "--email", "ada@example.com", "--role", "manager").status == .exited(0))

                let list = try await admin("list").output.split(separator: "\n")
                #expect(list.count == 3 && list.contains { $0.hasPrefix("ada@example.com  manager") }, "\(list)")

                let last = try await admin("demote", "--email", "root@example.com")
                #expect(last.status == .exited(1) && last.errors.contains("is the only owner"))
                let raised = try await admin("promote", "--email", "sue@example.com")
                #expect(raised.output.contains("owner"))
                try await sue.call(Contract.staff).good()
                let demoted = try await admin("demote", "--email", "root@example.com")
                #expect(demoted.output == "root@example.com is now a customer.\n", "\(demoted.errors)")

                let unknown = try await admin("promote", "--email", "nobody@example.com")
                #expect(unknown.status == .exited(1) && unknown.errors.contains("pouch-server admin list"))
                let none = try await admin("reset-second-factor", "--email", "sue@example.com")
                #expect(none.status == .exited(1))
            }
            #expect(outcome.status == .exited(0))
        }
    }
}
