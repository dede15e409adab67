import Foundation
import PouchDomain
import PouchPostgres
import PouchServer
import PouchStorage
import Subprocess
import TestDatabase
import Testing

@Suite("Connecting to PostgreSQL", .enabled(if: TestDatabase.isPostgres), .timeLimit(.minutes(2)))
struct ConnectingTests {
    /// Whether the connection is encrypted.
    private func isEncrypted(
        _ address: String, passwordFile: URL? = nil
    ) async throws -> Bool {
        var address = try PostgresAddress(address)
        address.passwordFile = passwordFile?.path
        let database = PostgresDatabase(address)
        let result: Result<Bool, any Error>
        do {
            result = .success(
                try await database.read {
                    try $0.row("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()", [])?.int(0) == 1
                })
        } catch { result = .failure(error) }
        try await database.close()
        return try result.get()
    }

    private func expectRefusal(
        _ address: String, passwordFile: URL? = nil, because reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            _ = try await isEncrypted(address, passwordFile: passwordFile)
        } throws: { error in
            (error as? UnavailableError)?.reason.contains(reason) == true
        }
    }

    @Test func `TLS is asked for by the address, and a certificate counts only for its own name`() async throws {
        try await TemporaryFolder.use { folder in
            let certificate = try await Certificate(for: "IP:127.0.0.1", in: folder)
            let other = folder.appending(path: "other")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            let stranger = try await Certificate(for: "IP:127.0.0.1", in: other)
            try await Cluster.use { cluster in
                let address = try await cluster.start(with: certificate)
                #expect(try await isEncrypted(address + "&sslmode=require"))
                #expect(try await !isEncrypted(address + "&sslmode=disable"))
                let root = "&sslrootcert=\(certificate.file.path)"
                #expect(try await isEncrypted(address + "&sslmode=verify-full" + root))
                let named = address.replacing("@127.0.0.1:", with: "@localhost:")
                await expectRefusal(named + "&sslmode=verify-full" + root, because: "does not match host name")
                await expectRefusal(
                    address + "&sslmode=verify-full&sslrootcert=\(stranger.file.path)",
                    because: "certificate verify failed")
                await expectRefusal(
                    address + "&sslmode=verify-full&sslrootcert=\(folder.path)/nothing.pem",
                    because: "does not exist")
            }
        }
    }

    @Test func `A server without TLS is refused where it is asked for`() async throws {
        try await Cluster.use { cluster in
            let address = try await cluster.start()
            await expectRefusal(address + "&sslmode=require", because: "does not support SSL")
        }
    }

    @Test func `The password comes from the first line of a file, and a wrong one opens nothing`() async throws {
        try await TemporaryFolder.use { folder in
            try await Cluster.use { cluster in
                let address = try await cluster.start()
                    .replacing(/passfile=.*/, with: "passfile=\(folder.path)/nothing")
                let (right, wrong) = (folder.appending(path: "right"), folder.appending(path: "wrong"))
                try Data("\(try cluster.password)\nand a note\n".utf8).write(to: right)
                try Data("not \(try cluster.password)\n".utf8).write(to: wrong)
                #expect(try await !isEncrypted(address, passwordFile: right))
                await expectRefusal(address, passwordFile: wrong, because: "password authentication failed")
                await expectRefusal(address, because: "no password supplied")
            }
        }
    }

    @Test func `The program takes the password from a file or from PGPASSWORD, and repeats neither`() async throws {
        try await TemporaryFolder.use { folder in
            try await Cluster.use { cluster in
                let address = try await cluster.start()
                    .replacing(/passfile=.*/, with: "passfile=\(folder.path)/nothing")
                let password = try cluster.password
                let file = folder.appending(path: "password")
                try Data("\(password)\n".utf8).write(to: file)
                func migrate(_ more: String..., environment: [String: String] = [:]) async throws
                    -> ServerProgram.Outcome
                {
                    let outcome = try await ServerProgram.run(
                        ["migrate", "--database", address] + more, environment: environment)
                    #expect(!(outcome.output + outcome.errors).contains(password))
                    return outcome
                }
                let none = try await migrate()
                #expect(none.status == .exited(1) && none.errors.contains("no password supplied"), "\(none.errors)")
                let wrong = try await migrate(environment: ["PGPASSWORD": password + "x"])
                #expect(wrong.status == .exited(1) && wrong.errors.contains("authentication failed"), "\(wrong.errors)")
                let fromFile = try await migrate("--database-password-file", file.path)
                #expect(fromFile.status == .exited(0) && fromFile.output.contains("Applied"), "\(fromFile.errors)")
                let fromEnvironment = try await migrate(environment: ["PGPASSWORD": password])
                #expect(
                    fromEnvironment.status == .exited(0) && fromEnvironment.output.contains("up to date"),
                    "\(fromEnvironment.errors)")
            }
        }
    }
}
