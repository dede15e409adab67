import ServerTesting
import Testing

@testable import PouchMail

/// The SMTP client against another program's mail server.
@Suite("A mail server", .timeLimit(.minutes(5)))
struct MailServerProcessTests {
    private func server(
        _ sink: MailSink, scheme: String = "smtp", host: String = "127.0.0.1", user: String? = nil,
        password: String? = nil
    ) throws -> SMTPServer {
        var server = try SMTPServer(
            "\(scheme)://\(user.map { $0 + "@" } ?? "")\(host):\(sink.port)", password: password)
        server.trustPath = sink.certificate
        return server
    }

    private func message(
        to recipient: String = "ada@example.com", id: String = "mai_1", name: String? = nil, text: String = "Text"
    ) throws -> MailMessage {
        MailMessage(
            id: id, from: try #require(MailAddress("The Burrow <shop@example.com>")),
            replyTo: MailAddress("help@example.com"),
            to: try #require(MailAddress(address: recipient, name: name)), subject: "Grüße 🦘 \(id)", date: Date(),
            text: text, html: "<p>\(text)</p>")
    }

    private func failure(_ transport: SMTPTransport, _ message: MailMessage) async -> DeliveryError? {
        do throws(DeliveryError) {
            try await transport.deliver(message)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [["--starttls"], ["--tls"], []])
    func `A mail arrives as it was written, over one connection for several`(flags: [String]) async throws {
        try await MailSink.run(flags) { sink in
            let scheme = flags == ["--tls"] ? "smtps" : "smtp"
            let transport = SMTPTransport(try server(sink, scheme: scheme, host: "localhost"))
            let text = "Grüße\n.\n.a line with a dot\nFrom here\n" + String(repeating: "word ", count: 400)
            try await transport.deliver(message(name: "Zoë \"Z\" O'Brien\r\nBcc: victim@example.com", text: text))
            try await transport.deliver(message(id: "mai_2"))
            await transport.finish()
            let mails = try await sink.mails(2)
            #expect(mails.map { $0.header("Message-ID") } == ["<mai_1@example.com>", "<mai_2@example.com>"])
            let first = try #require(mails.first)
            #expect(first.sender == "shop@example.com" && first.recipients == ["ada@example.com"])
            #expect(first.header("Subject") == "Grüße 🦘 mai_1")
            #expect(first.header("From") == "The Burrow <shop@example.com>")
            #expect(first.header("Reply-To") == "help@example.com" && first.header("Bcc") == nil)
            #expect(first.headers.count == 9)
            #expect(first.text.trimmingCharacters(in: .newlines) == text.trimmingCharacters(in: .newlines))
            #expect(first.html.hasPrefix("<p>Grüße"))
            #expect(first.defects.isEmpty && first.longestLine <= 78 && first.bareNewlines == 0)
            #expect(first.encrypted == !flags.isEmpty)
            #expect(try sink.count("connected") == 1)
        }
    }

    @Test func `An address outside ASCII goes to a server with SMTPUTF8`() async throws {
        try await MailSink.run { sink in
            let transport = SMTPTransport(try server(sink))
            try await transport.deliver(message(to: "用户@bücher.example"))
            let mail = try #require(try await sink.mails(1).first)
            #expect(mail.recipients == ["用户@xn--bcher-kva.example"])
            #expect(mail.options.contains("SMTPUTF8") && mail.options.contains("BODY=8BITMIME"))
            #expect(mail.defects.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `The sender signs in with PLAIN, or with LOGIN if only that is offered`(onlyLogin: Bool) async throws {
        let login = ["--starttls", "--user", "shop", "--password", "päss word"]
        try await MailSink.run(login + (onlyLogin ? ["--only-login"] : [])) { sink in
            let transport = SMTPTransport(try server(sink, user: "shop", password: "päss word"))
            try await transport.deliver(message())
            #expect(try await sink.mails(1).map(\.user) == ["shop"])
            #expect(try sink.logins() == [onlyLogin ? "LOGIN" : "PLAIN"])
        }
    }

    @Test func `A wrong password stops all mails, and the reason does not contain it`() async throws {
        try await MailSink.run(["--starttls", "--user", "shop", "--password", "right"]) { sink in
            let stranger = try server(sink, user: "shop", password: "wrong-secret")
            #expect(await failure(SMTPTransport(stranger), try message()) == .unavailable("login: 535 5.7.8"))
            #expect(try sink.mails.isEmpty)
        }
    }

    @Test(arguments: ["smtp", "smtps"])
    func `A certificate that is not trusted stops all mails`(scheme: String) async throws {
        try await MailSink.run([scheme == "smtps" ? "--tls" : "--starttls"]) { sink in
            var stranger = try server(sink, scheme: scheme)
            stranger.trustPath = "/etc/ssl/certs/ca-certificates.crt"
            let failure = await failure(SMTPTransport(stranger), try message())
            #expect(failure == .unavailable("the mail server does not answer: its certificate is not trusted"))
            #expect(try sink.mails.isEmpty)
        }
    }

    @Test func `Bytes that arrive unrequested before the encryption begins end the connection`() async throws {
        try await MailSink.run(["--inject"]) { sink in
            let failure = await failure(SMTPTransport(try server(sink)), try message())
            #expect(failure == .unavailable("encryption with the mail server failed: it does not use SMTP"))
        }
    }

    @Test func `A refusal concerns one mail, and its reason has only the codes`() async throws {
        try await MailSink.run { sink in
            let transport = SMTPTransport(try server(sink))
            let greylisted = try message(to: "greylisted@example.com")
            #expect(await failure(transport, greylisted) == .deferred("recipient: 450 4.2.0"))
            #expect(
                await failure(transport, try message(to: "unknown@example.com")) == .refused("recipient: 550 5.1.1"))
            #expect(await failure(transport, try message(to: "spam@example.com")) == .refused("mail: 554 5.7.1"))
            try await transport.deliver(greylisted)
            #expect(try await sink.mails(1).count == 1)
            #expect(try sink.count("connected") == 1)
        }
    }

    @Test func `A server that takes one mail for each connection gets a new one`() async throws {
        try await MailSink.run(["--one-per-connection"]) { sink in
            let transport = SMTPTransport(try server(sink))
            for number in 1...3 { try await transport.deliver(message(id: "mai_\(number)")) }
            #expect(try await sink.mails(3).count == 3)
            #expect(try sink.count("connected") >= 2)
        }
    }

    @Test(arguments: ["chatty", "idle", "halting"])
    func `After a reply that nothing asked for, the next mail gets a new connection`(recipient: String) async throws {
        try await MailSink.run { sink in
            let transport = SMTPTransport(try server(sink))
            try await transport.deliver(message(to: recipient + "@example.com"))
            try await transport.deliver(message(id: "mai_2"))
            let mails = try await sink.mails(2)
            #expect(mails.map { $0.header("Message-ID") } == ["<mai_1@example.com>", "<mai_2@example.com>"])
            #expect(mails.last?.recipients == ["ada@example.com"])
            #expect(try sink.count("connected") == 2)
        }
    }

    @Test func `A server that sends no greeting is left at the time limit`() async throws {
        try await MailSink.run(["--silent"]) { sink in
            var server = try server(sink)
            server.timeouts.answering = .milliseconds(300)
            let failure = await failure(SMTPTransport(server), try message())
            #expect(failure == .unavailable("the mail server does not answer: it took too long"))
            try await eventually { try sink.count("connected") == 1 }
        }
    }

    @Test func `A port without a server is reported at once`() async throws {
        try await MailSink.run { sink in
            let server = try SMTPServer("smtp://127.0.0.1:\(RawConnection.freePort())", password: nil)
            let failure = await failure(SMTPTransport(server), try message())
            #expect(failure?.outage?.hasPrefix("cannot connect to the mail server") == true)
        }
    }

    @Test(arguments: ["dies@example.com", "hangs@example.com"])
    func `A mail whose server falls silent is sent again under the same id`(recipient: String) async throws {
        try await MailSink.run { sink in
            var server = try server(sink)
            server.timeouts.taking = .seconds(5)
            let transport = SMTPTransport(server)
            let message = try message(to: recipient)
            _ = try #require(await failure(transport, message)?.outage, "the mail was taken")
            try await transport.deliver(message)
            let ids = try await sink.mails(2).map { $0.header("Message-ID") }
            #expect(ids == ["<mai_1@example.com>", "<mai_1@example.com>"])
        }
    }

    @Test func `One mail takes no longer than its total time limit, and the next has its own limit`() async throws {
        try await MailSink.run { sink in
            // The steps have minutes.
            var server = try server(sink)
            server.timeouts.delivering = .seconds(20)
            let transport = SMTPTransport(server)
            // Mails one after the other, together for longer than one may take.
            let end = ContinuousClock.now + .seconds(21)
            var number = 0
            while ContinuousClock.now < end {
                number += 1
                try await transport.deliver(message(id: "mai_\(number)"))
                try await Task.sleep(for: .milliseconds(200))
            }
            _ = try await sink.mails(number)
            #expect(try sink.count("connected") == 1)
            server.timeouts.delivering = .seconds(1)
            let failure = await failure(SMTPTransport(server), try message(to: "hangs@example.com"))
            // Without an answer, or on a busy machine before there was a connection.
            #expect(failure?.outage?.hasSuffix(": it took too long") == true)
        }
    }

    @Test func `A server that stops does not wait for a mail server that hangs`() async throws {
        try await MailSink.run(["--silent"]) { sink in
            let transport = SMTPTransport(try server(sink))
            let message = try message()
            let task = Task { await failure(transport, message) }
            try await eventually { try sink.count("connected") == 1 }
            task.cancel()
            #expect(await task.value == .unavailable("the mail server does not answer: this server is shutting down"))
        }
    }

    @Test(arguments: [
        "smtp://", "http://a.example.com", "smtp://a.example.com/x", "smtp://a.example.com?x", "smtp://a.example.com:0",
        "a.example.com", "",
    ])
    func `Other addresses are refused`(text: String) {
        #expect(throws: SMTPServer.AddressError.invalid) { try SMTPServer(text, password: nil) }
    }

    @Test func `An address names user, host and port, and never a password`() throws {
        let server = try SMTPServer("smtp://shop%40example.com@mail.example.com", password: "secret")
        #expect(server.user == "shop@example.com" && server.host == "mail.example.com" && server.port == 587)
        #expect(try SMTPServer("smtps://mail.example.com", password: nil).port == 465)
        #expect("\(server)" == "smtp://shop@example.com@mail.example.com:587")
        #expect(throws: SMTPServer.AddressError.containsPassword) {
            try SMTPServer("smtp://shop:secret@mail.example.com", password: nil)
        }
    }
}

extension DeliveryError {
    /// The reason why the mail server takes no mail at all.
    fileprivate var outage: String? { self == .unavailable(reason) ? reason : nil }
}
