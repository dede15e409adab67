import PouchMail
import ServerTesting
import Subprocess
import Testing

@Suite("Mails of the server process", .timeLimit(.minutes(10)), .inFolder)
struct MailProcessTests {
    private let folder = TemporaryFolder.current

    private func settings(_ database: String, _ mail: String) -> [String] {
        [
            "--port", "0", "--database", database, "--mail", mail, "--mail-from", "The Burrow <shop@example.com>",
            "--public-url", "https://shop.example.com",
        ]
    }

    @Test func `A mail that was queued before a kill is sent once by the next server`() async throws {
        let database = try await ShopFolder.stocked(folder)
        // No server takes mails there.
        let away = "smtp://127.0.0.1:\(try RawConnection.freePort())"
        let killed = try await ServerProgram.serve(settings(database, away), signal: .kill) { server in
            _ = try await server.guest().buyNow().good()
            try await eventually { try await ShopFolder.rows("SELECT id FROM mails", in: database).count == 1 }
        }
        #expect(killed.status == .signaled(9))
        // As if the pause before the next try had passed.
        #expect(try await ShopFolder.rows("UPDATE mails SET due_at = 0 RETURNING id", in: database).count == 1)
        try await MailSink.run { sink in
            let outcome = try await ServerProgram.serve(settings(database, "smtp://127.0.0.1:\(sink.port)")) { _ in
                try await eventually {
                    try await ShopFolder.rows("SELECT id FROM mails WHERE sent_at IS NOT NULL", in: database).count == 1
                }
            }
            #expect(outcome.status == .exited(0))
            let mails = try await sink.mails(1)
            let mail = try #require(mails.first)
            #expect(mails.count == 1 && mail.recipients == ["guest@example.com"])
            #expect(mail.text.contains("https://shop.example.com/orders#"))
            #expect(!outcome.errors.contains("guest@example.com") && !outcome.errors.contains("orders#"))
        }
    }

    @Test func `Killed before the mail server answers, it sends the mail again under its id`() async throws {
        let database = try await ShopFolder.stocked(folder)
        try await MailSink.run { sink in
            let arguments = settings(database, "smtp://127.0.0.1:\(sink.port)")
            let killed = try await ServerProgram.serve(arguments, signal: .kill) { server in
                _ = try await server.guest().buyNow(email: "hangs@example.com").good()
                try await eventually { try sink.mails.count == 1 }
            }
            #expect(killed.status == .signaled(9))
            // As if the lease had ended.
            #expect(try await ShopFolder.rows("UPDATE mails SET due_at = 0 RETURNING id", in: database).count == 1)
            _ = try await ServerProgram.serve(arguments) { _ in
                try await eventually {
                    try await ShopFolder.rows("SELECT id FROM mails WHERE sent_at IS NOT NULL", in: database).count == 1
                }
            }
            let ids = try await sink.mails(2).map { $0.header("Message-ID") }
            #expect(ids.count == 2 && Set(ids).count == 1)
        }
    }

    @Test func `mail test sends a mail, and says why one is not taken`() async throws {
        try await MailSink.run(["--starttls", "--user", "shop", "--password", "right"]) { sink in
            let password = folder.appending(path: "password")
            let arguments = [
                "mail", "test", "--mail", "smtp://shop@localhost:\(sink.port)", "--mail-password-file", password.path,
                "--mail-from", "The Burrow <shop@example.com>", "--public-url", "https://shop.example.com",
            ]
            try Data("right\n".utf8).write(to: password)
            let sent = try await ServerProgram.run(arguments + ["ada@example.com"])
            #expect(sent.status == .exited(0) && sent.output.hasPrefix("Sent."), "\(sent.errors)")
            let mail = try await sink.mails(1).first
            #expect(mail?.header("Subject") == "A test e-mail from The Burrow")
            let refused = try await ServerProgram.run(arguments + ["unknown@example.com"])
            #expect(refused.status == .exited(1) && refused.errors.contains("recipient: 550 5.1.1"))
            try Data("wrong-secret\n".utf8).write(to: password)
            let other = try await ServerProgram.run(arguments + ["ada@example.com"])
            #expect(other.status == .exited(1) && other.errors.contains("login: 535"))
            #expect(!other.errors.contains("wrong-secret"))
        }
    }

    @Test func `mail test with a folder says where the mail is, and names no server`() async throws {
        let mails = folder.appending(path: "mails")
        let written = try await ServerProgram.run("mail", "test", "ada@example.com", "--mail", "folder:" + mails.path)
        #expect(written.status == .exited(0) && !written.output.contains("mail server"), "\(written.errors)")
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: mails.path).first)
        #expect(written.output.contains("/mails/\(file)."))
    }

    @Test func `mail templates and mail preview show what can be changed`() async throws {
        let (templates, out) = (folder.appending(path: "templates").path, folder.appending(path: "out").path)
        let written = try await ServerProgram.run("mail", "templates", templates)
        #expect(written.output == "Wrote \(MailTemplates.fileNames.count) templates.\n")
        try FileManager.default.removeItem(atPath: templates + "/orderPaid.html")
        let again = try await ServerProgram.run("mail", "templates", templates)
        let kept = MailTemplates.fileNames.count - 1
        #expect(again.output == "Wrote 1 template. Kept \(kept) that already existed.\n")
        let all = try await ServerProgram.run("mail", "preview", "--mail-templates", templates, "--out", out)
        #expect(all.status == .exited(0) && all.output.split(separator: "\n").count == MailKind.allCases.count)
        #expect(FileManager.default.fileExists(atPath: out + "/orderPaid.eml"))
        let file = templates + "/orderPaid.txt"
        try Data("Subject: Cheers\n\nHi {{nmae}}\n".utf8).write(to: URL(fileURLWithPath: file))
        let wrong = try await ServerProgram.run("mail", "preview", "orderPaid", "--mail-templates", templates)
        #expect(wrong.status == .exited(64) && wrong.errors.contains("\(file):3:4: unknown value “nmae”"))
        let one = try await ServerProgram.run("mail", "preview", "orderPaid")
        #expect(one.output.contains("Subject: Thank you for your order P-10001"))
    }

    @Test(arguments: [
        (["--mail", "smtp://shop:secret@mail.example.com"], "--mail contains a password"),
        (["--mail", "smtp://mail.example.com"], "--mail-from and --public-url"),
        (["--mail", "smtp://shop@mail.example.com"], "needs a password"),
        (["--mail", "pigeon"], "--mail must be an address"),
        (["--mail", "folder:"], "--mail folder: needs a path"),
        (["--mail", "folder:mails", "--mail-from", "shop"], "not an e-mail address"),
        (["--mail", "folder:mails", "--public-url", "shop.example.com"], "--public-url must be"),
        (["--mail-templates", "/dev/null/templates"], "Cannot read the template folder"),
    ])
    func `serve refuses wrong settings of mail, and shows no password`(arguments: [String], text: String) async throws {
        let database = "sqlite:" + folder.appending(path: "shop.sqlite").path
        let outcome = try await ServerProgram.run(
            ["serve", "--port", "0", "--database", database, "--create"] + arguments)
        outcome.expectFailure(text, code: 64)
        #expect(!outcome.errors.contains("secret"))
    }
}
