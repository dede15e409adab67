import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("pouch-server doctor", .timeLimit(.minutes(5)))
struct DoctorProcessTests {
    private func visit(_ arguments: String..., environment: [String: String] = [:]) async throws -> Visit {
        let outcome = try await ServerProgram.run(["doctor", "--json"] + arguments, environment: environment)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        return Visit(
            status: outcome.status, lines: try JSONDecoder().decode([Line].self, from: Data(outcome.output.utf8)))
    }

    @Test func `A shop that is well has no problem, before it is served and while it is`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            if !TestDatabase.isPostgres {
                // The tests write the file with the permissions of any file.
                for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
                where file.hasPrefix("pouch.sqlite") {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: file).path)
                }
            }
            _ = try await ServerProgram.serve("--port", "0", "--database", database, "--data", folder.path) { server in
                let arguments = ["--database", database, "--data", folder.path, "--port"]
                let subjects = [
                    "settings", "database", "clock", "disk", "files", "limits", "certificate", "payments", "mail",
                    "address",
                ]
                for (port, text) in [("0", "is free"), (String(server.port), "A server on")] {
                    let outcome = try await ServerProgram.run(["doctor", "--json"] + arguments + [port])
                    let lines = try JSONDecoder().decode([Line].self, from: Data(outcome.output.utf8))
                    // A PostgreSQL of the tests may lose its last commits in a power failure.
                    let isDurable = !lines.contains { $0.text.contains("fsync") }
                    #expect(outcome.status == .exited(isDurable ? 0 : 1), "\(outcome.output)")
                    #expect(lines.count { $0.level == "problem" } == (isDurable ? 0 : 1), "\(lines)")
                    #expect(isDurable || TestDatabase.isPostgres)
                    for subject in subjects { #expect(lines.contains { $0.subject == subject }, "\(subject)") }
                    #expect(lines.contains { $0.subject == "address" && $0.text.contains(text) }, "\(lines)")
                }
                let plain = try await ServerProgram.run(["doctor"] + arguments + ["0"])
                #expect(plain.output.contains("OK       database     The database is reachable"), "\(plain.output)")
            }
        }
    }

    @Test func `Invalid settings are a problem, and unknown variables a warning`() async throws {
        let found = try await visit("--port", "70000", environment: ["POUCH_PROT": "1"])
        #expect(found.status == .exited(1))
        #expect(found.levels("settings") == ["warning", "problem"], "\(found.lines)")
        #expect(found.lines.count == 2 && found.lines[0].text.contains("POUCH_PROT"))
    }

    @Test func `Settings with which a server does not start are a problem, and those without effect a warning`()
        async throws
    {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            func shop(_ yaml: String) throws -> [String] {
                let file = folder.appending(path: "shop.yaml")
                try Data(yaml.utf8).write(to: file)
                return ["--database", database, "--data", folder.path, "--port", "0", "--shop", file.path]
            }
            let dollars = try shop("currency: USD")
            let outcome = try await ServerProgram.run(["doctor", "--json"] + dollars)
            let found = try JSONDecoder().decode([Line].self, from: Data(outcome.output.utf8))
            #expect(outcome.status == .exited(1))
            #expect(found.contains { $0.level == "problem" && $0.text.contains("are in EUR, not USD") }, "\(found)")
            let refused = try await ServerProgram.run(["serve"] + dollars)
            #expect(refused.status == .exited(1) && refused.errors.contains("are in EUR, not USD"))

            let taxes = "taxes: {regions: [{country: DE, rate: 19, categories: {boks: 7}}]}"
            let typo = try await ServerProgram.run(["doctor", "--json"] + shop("currency: EUR\n" + taxes))
            let lines = try JSONDecoder().decode([Line].self, from: Data(typo.output.utf8))
            #expect(lines.contains { $0.level == "warning" && $0.text.contains("category boks") }, "\(lines)")
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `A missing database and one of a later release are problems`() async throws {
        try await TemporaryFolder.use { folder in
            let nowhere = folder.appending(path: "nowhere.sqlite").path
            let missing = try await visit("--database", "sqlite:" + nowhere, "--port", "0")
            #expect(missing.status == .exited(1) && missing.levels("database") == ["problem"], "\(missing.lines)")
            #expect(!FileManager.default.fileExists(atPath: nowhere))

            let database = try await ShopFolder.stocked(folder)
            let path = String(database.dropFirst("sqlite:".count))
            let shop = try SQLiteDatabase(path: path)
            _ = try await shop.write { connection in
                try connection.run(
                    "INSERT INTO schema_migrations (version, name, sql, needs) VALUES (900, 'later', '', 900)", [])
            }
            try await shop.close()
            let later = try await visit("--database", database, "--port", "0")
            #expect(later.status == .exited(1))
            #expect(later.of("database").contains { $0.text.contains("later version") }, "\(later.lines)")

        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres)) func `A page that is damaged is found`() async throws {
        try await TemporaryFolder.use { folder in
            let copy = folder.appending(path: "copy.sqlite").path
            let made = try await ServerProgram.run("backup", "--database", ShopFolder.stocked(folder), copy)
            try #require(made.status == .exited(0))
            let shop = try SQLiteDatabase(path: copy)
            let page = try await shop.read {
                try $0.row("SELECT rootpage FROM sqlite_master WHERE name = 'discounts'", [])?.int(0)
            }
            try await shop.close()
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: copy))
            try file.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
            try file.close()
            let damaged = try await visit("--database", "sqlite:" + copy, "--port", "0")
            #expect(damaged.status == .exited(1))
            #expect(damaged.levels("database").prefix(3) == ["ok", "ok", "problem"], "\(damaged.lines)")
        }
    }

    @Test func `Keys that others can read, a certificate for another name and a busy port are problems`() async throws {
        try await TemporaryFolder.use { folder in
            let certificate = try await Certificate(for: "DNS:*.example.com", in: folder)
            let database = try await ShopFolder.stocked(folder)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: certificate.key.path)
            let arguments = [
                "doctor", "--json", "--database", database, "--data", folder.path, "--tls-certificate",
                certificate.file.path, "--tls-key", certificate.key.path,
            ]
            @Sendable func lines(_ more: String...) async throws -> [Line] {
                let outcome = try await ServerProgram.run(arguments + more)
                return try JSONDecoder().decode([Line].self, from: Data(outcome.output.utf8))
            }
            let found = try await lines("--port", "0", "--name", "shop.example.com")
            #expect(found.contains { $0.subject == "files" && $0.level == "problem" && $0.text.contains("chmod") })
            // It is valid for 2 days.
            #expect(found.filter { $0.subject == "certificate" }.map(\.level) == ["warning"], "\(found)")
            let other = try await lines("--port", "0", "--name", "shop.example.org")
            #expect(
                other.contains { $0.level == "problem" && $0.text.contains("not for shop.example.org") }, "\(other)")

            _ = try await ServerProgram.serveSandbox(
                "--port", "0", "--ledger", folder.appending(path: "other.sqlite").path
            ) { sandbox in
                let busy = try await lines("--port", String(sandbox.port))
                #expect(busy.contains { $0.subject == "address" && $0.text.contains("Another program") }, "\(busy)")
                let paying = try await lines("--port", "0", "--payments", "http://127.0.0.1:\(sandbox.port)")
                #expect(paying.contains { $0.subject == "payments" && $0.level == "ok" }, "\(paying)")
            }
            try await MailSink.run("--starttls", "--user", "shop", "--password", "right") { sink in
                let trust = ["--mail-from", "shop@example.com", "--public-url", "https://shop.example.com"]
                let certificate = try #require(sink.certificate)
                @Sendable func mail(_ password: String) async throws -> [Line] {
                    let file = folder.appending(path: "mail-password")
                    try Data(password.utf8).write(to: file)
                    let outcome = try await ServerProgram.run(
                        arguments + trust + [
                            "--port", "0", "--mail", "smtp://shop@127.0.0.1:\(sink.port)", "--mail-trust", certificate,
                            "--mail-password-file", file.path,
                        ])
                    return try JSONDecoder().decode([Line].self, from: Data(outcome.output.utf8))
                        .filter { $0.subject == "mail" }
                }
                #expect(try await mail("right").map(\.level) == ["ok"])
                let refused = try await mail("wrong-secret")
                #expect(refused.map(\.level) == ["problem"] && refused[0].text.contains("login"), "\(refused)")
                #expect(!refused[0].text.contains("wrong-secret"))
                #expect(try sink.mails.isEmpty)
            }
            let unpaid = try await lines("--port", "0", "--payments", "http://127.0.0.1:9")
            #expect(unpaid.contains { $0.subject == "payments" && $0.level == "problem" }, "\(unpaid)")
        }
    }
}

/// A line of the doctor's JSON.
private struct Line: Decodable, Equatable {
    let subject: String
    let level: String
    let text: String
}

private struct Visit {
    let status: TerminationStatus
    let lines: [Line]

    func of(_ subject: String) -> [Line] { lines.filter { $0.subject == subject } }
    func levels(_ subject: String) -> [String] { of(subject).map(\.level) }
}
