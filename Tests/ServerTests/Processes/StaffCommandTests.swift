import ServerTesting
import Subprocess
import Testing

@Suite("pouch-server doctor", .timeLimit(.minutes(5)), .inFolder)
struct DoctorProcessTests {
    private struct Line: Decodable, Equatable {
        let subject: String
        let level: String
        let text: String
    }

    private struct Visit {
        let outcome: ServerProgram.Outcome
        let lines: [Line]

        func levels(_ subject: String) -> [String] { lines.filter { $0.subject == subject }.map(\.level) }

        func has(_ level: String, of subject: String? = nil, _ text: String) -> Bool {
            lines.contains {
                (subject == nil || $0.subject == subject) && $0.level == level && $0.text.contains(text)
            }
        }
    }

    private let folder = TemporaryFolder.current

    private func visit(_ arguments: [String], environment: [String: String] = [:]) async throws -> Visit {
        let outcome = try await ServerProgram.run(["doctor", "--json"] + arguments, environment: environment)
        return Visit(outcome: outcome, lines: try JSONDecoder().decode([Line].self, from: Data(outcome.output.utf8)))
    }

    @Test func `The doctor finds no problem in a healthy shop, before and while it is served`() async throws {
        let database = try await ShopFolder.stocked(folder)
        if !TestDatabase.isPostgres {
            // The tests write the file with the permissions of any file.
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where file.hasPrefix("pouch.sqlite") {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: file).path)
            }
        }
        try await ServerProgram.serve(on: database, "--data", folder.path) { server in
            let arguments = ["--database", database, "--data", folder.path, "--port"]
            for (port, text) in [("0", "is free"), (String(server.port), "A server on")] {
                let found = try await visit(arguments + [port])
                // A PostgreSQL of the tests may lose its last commits in a power failure.
                let isDurable = !found.lines.contains { $0.text.contains("fsync") }
                #expect(found.outcome.status == .exited(isDurable ? 0 : 1), "\(found.outcome.output)")
                #expect(found.lines.count { $0.level == "problem" } == (isDurable ? 0 : 1), "\(found.lines)")
                #expect(isDurable || TestDatabase.isPostgres)
                let subjects = "settings database clock disk files limits certificate payments mail address"
                for subject in subjects.split(separator: " ") { #expect(!found.levels(String(subject)).isEmpty) }
                #expect(found.lines.contains { $0.subject == "address" && $0.text.contains(text) }, "\(found.lines)")
            }
            let plain = try await ServerProgram.run(["doctor"] + arguments + ["0"])
            #expect(plain.output.contains("OK       database     The database is reachable"), "\(plain.output)")
        }
    }

    @Test(arguments: [["--port", "70000"], ["--payments", "http://127.0.0.1:65536"]])
    func `Invalid settings are a problem, and unknown variables a warning`(options: [String]) async throws {
        let found = try await visit(options, environment: ["POUCH_PROT": "1"])
        #expect(found.outcome.status == .exited(1) && found.outcome.errors.isEmpty, "\(found.outcome.errors)")
        #expect(found.levels("settings") == ["warning", "problem"], "\(found.lines)")
        #expect(found.lines.count == 2 && found.lines[0].text.contains("POUCH_PROT"))
    }

    @Test func `Settings with which no server starts are a problem, and those without effect a warning`() async throws {
        let database = try await ShopFolder.stocked(folder)
        func shop(_ yaml: String) throws -> [String] {
            let file = try folder.file("shop.yaml", yaml)
            return ["--database", database, "--data", folder.path, "--port", "0", "--shop", file]
        }
        let dollars = try shop("currency: USD")
        let found = try await visit(dollars)
        #expect(found.outcome.status == .exited(1))
        #expect(found.has("problem", "are in EUR, not USD"), "\(found.lines)")
        try await ServerProgram.run(["serve"] + dollars).expectFailure("are in EUR, not USD")
        let taxes = "taxes: {regions: [{country: DE, rate: 19, categories: {boks: 7}}]}"
        let typo = try await visit(shop("currency: EUR\n" + taxes))
        #expect(typo.has("warning", "category boks"), "\(typo.lines)")
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `A missing database and one of a later release are problems`() async throws {
        let nowhere = folder.appending(path: "nowhere.sqlite").path
        let missing = try await visit(["--database", "sqlite:" + nowhere, "--port", "0"])
        #expect(missing.outcome.status == .exited(1) && missing.levels("database") == ["problem"], "\(missing.lines)")
        #expect(!FileManager.default.fileExists(atPath: nowhere))
        let database = try await ShopFolder.stocked(folder)
        let migration = "INSERT INTO schema_migrations (version, name, sql, needs) VALUES (900, 'later', '', 900)"
        try await DatabaseAddress(database).write { try $0.script(migration) }
        let later = try await visit(["--database", database, "--port", "0"])
        #expect(later.outcome.status == .exited(1))
        let texts = later.lines.filter { $0.subject == "database" }.map(\.text)
        #expect(texts.contains { $0.contains("later version") }, "\(later.lines)")
    }

    @Test(.enabled(if: !TestDatabase.isPostgres)) func `The doctor finds a damaged database page`() async throws {
        let copy = folder.appending(path: "copy.sqlite").path
        try await ServerProgram.run("backup", "--database", ShopFolder.stocked(folder), copy).good()
        let page = try await DatabaseAddress(path: copy).read {
            try $0.row("SELECT rootpage FROM sqlite_master WHERE name = 'discounts'", [])?.int(0)
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: copy))
        try file.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try file.close()
        let damaged = try await visit(["--database", "sqlite:" + copy, "--port", "0"])
        #expect(damaged.outcome.status == .exited(1))
        #expect(damaged.levels("database").prefix(3) == ["ok", "ok", "problem"], "\(damaged.lines)")
    }

    @Test func `Keys that others can read, a certificate for another name and a busy port are problems`() async throws {
        let certificate = try await Certificate(for: "DNS:*.example.com", in: folder)
        let database = try await ShopFolder.stocked(folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: certificate.key.path)
        let arguments = [
            "--database", database, "--data", folder.path, "--tls-certificate", certificate.file.path, "--tls-key",
            certificate.key.path, "--port",
        ]
        let found = try await visit(arguments + ["0", "--name", "shop.example.com"])
        #expect(found.has("problem", of: "files", "chmod"), "\(found.lines)")
        // It is valid for 2 days.
        #expect(found.levels("certificate") == ["warning"], "\(found.lines)")
        let other = try await visit(arguments + ["0", "--name", "shop.example.org"])
        #expect(other.has("problem", "not for shop.example.org"), "\(other.lines)")

        _ = try await ServerProgram.serveSandbox(
            "--port", "0", "--ledger", folder.appending(path: "other.sqlite").path
        ) { sandbox in
            let busy = try await visit(arguments + [String(sandbox.port)])
            #expect(busy.lines.contains { $0.subject == "address" && $0.text.contains("Another program") })
            let paying = try await visit(arguments + ["0", "--payments", "http://127.0.0.1:\(sandbox.port)"])
            #expect(paying.levels("payments").contains("ok"), "\(paying.lines)")
        }
        let unpaid = try await visit(arguments + ["0", "--payments", "http://127.0.0.1:9"])
        #expect(unpaid.levels("payments").contains("problem"), "\(unpaid.lines)")
        try await MailSink.run(["--starttls", "--user", "shop", "--password", "right"]) { sink in
            let trust = [
                "0", "--mail", "smtp://shop@127.0.0.1:\(sink.port)", "--mail-trust", try #require(sink.certificate),
                "--mail-from", "shop@example.com", "--public-url", "https://shop.example.com", "--mail-password-file",
            ]
            #expect(try await visit(arguments + trust + [folder.file("right", "right")]).levels("mail") == ["ok"])
            let wrong = try await visit(arguments + trust + [folder.file("wrong", "wrong-secret")])
            #expect(wrong.levels("mail") == ["problem"] && wrong.has("problem", of: "mail", "login"), "\(wrong.lines)")
            #expect(!wrong.outcome.output.contains("wrong-secret"))
            #expect(try sink.mails.isEmpty)
        }
    }
}

@Suite("pouch-server admin, account and keys", .timeLimit(.minutes(5)), .inFolder)
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
            #expect(try await admin("reset-second-factor", "--email", "sue@example.com").status == .exited(1))
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
        ] { try await create(email, input).expectFailure(reason) }
        try await ServerProgram.serve(on: database) { server in
            let kind = try await server.signIn("root@example.com").session?.kind
            #expect(kind == .admin)
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
        #expect(try await createAccount(in: database, "--if-empty").good().output.contains("nothing was created"))
        try await createAccount(in: database).expectFailure("already has an account")
        try await ServerProgram.serve(on: database) { server in
            let session = try await server.signIn("johnny@example.com").session
            #expect(session?.kind == .customer && session?.profile?.mobileNumber == "510-736-8754")
        }
    }

    @Test func `With --if-empty no account is created in a shop with products`() async throws {
        let database = try await ShopFolder.stocked(folder)
        #expect(try await createAccount(in: database, "--if-empty").good().output.contains("no account was created"))
        try await ServerProgram.serve(on: database) { server in
            try await server.anyone.signIn("johnny@example.com").problem(.invalidCredentials)
        }
    }

    @Test func `Keys are listed, rotated and retired, but never shown, and one always stays`() async throws {
        let database = try await TestDatabase(in: folder).text
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
            for text in [secret.base64EncodedString(), secret.hex] {
                #expect(!(rotated.output + both.joined() + all.output).contains(text))
            }
        }
    }
}
