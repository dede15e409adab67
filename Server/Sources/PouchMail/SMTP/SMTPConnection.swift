import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A connection to a mail server, ready to send e-mails: encrypted if required, and signed in.
///
///     let connection = try await SMTPConnection.open(server)
///     try await connection.begin(message)
///     try await connection.complete(message)
///     await connection.quit()
struct SMTPConnection: Sendable {
    private let channel: any Channel
    private let replies: NIOLoopBound<SMTPReplyHandler>
    private let server: SMTPServer
    /// The time by which the current e-mail must be accepted. Each step ends by then at the latest.
    fileprivate var deadline: NIODeadline
    /// Whether e-mails may have non-ASCII bytes in their headers.
    private var acceptsUTF8 = false
    private var accepts8Bit = false

    // MARK: Opening

    /// - Parameter deadline: the deadline of the first e-mail; nil for the total time of an e-mail.
    /// - Throws: `DeliveryError.unavailable`.
    static func open(
        _ server: SMTPServer, by deadline: NIODeadline? = nil
    ) async throws(DeliveryError) -> SMTPConnection {
        var connection = try await connected(server, by: deadline ?? server.deadline)
        do throws(DeliveryError) {
            try await connection.establish()
            return connection
        } catch {
            connection.close()
            // A refusal at this stage affects the connection, not an e-mail.
            throw .unavailable(error.reason)
        }
    }

    private static func connected(
        _ server: SMTPServer, by deadline: NIODeadline
    ) async throws(DeliveryError) -> SMTPConnection {
        do {
            let context = server.encryption == .fromTheStart ? try tlsContext(server) : nil
            let (channel, replies) = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(min(TimeAmount(server.timeouts.connecting), max(.zero, deadline - NIODeadline.now())))
                .connect(host: server.host, port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = SMTPReplyHandler(eventLoop: channel.eventLoop)
                        if let context { try channel.pipeline.syncOperations.addHandler(tls(context, server)) }
                        try channel.pipeline.syncOperations.addHandler(handler)
                        return (channel, NIOLoopBound(handler, eventLoop: channel.eventLoop))
                    }
                }
            return SMTPConnection(channel: channel, replies: replies, server: server, deadline: deadline)
        } catch let error as NIOSSLError {
            throw .unavailable("the certificates for the mail server are not usable: \(error)")
        } catch {
            throw .unavailable("cannot connect to the mail server: \(reason(error))")
        }
    }

    private init(
        channel: any Channel, replies: NIOLoopBound<SMTPReplyHandler>, server: SMTPServer, deadline: NIODeadline
    ) {
        (self.channel, self.replies, self.server, self.deadline) = (channel, replies, server, deadline)
    }

    private mutating func establish() async throws(DeliveryError) {
        try await check(ask(nil), "greeting")
        var extensions = try await greet()
        if server.encryption == .startTLS {
            if extensions.parameters(of: "STARTTLS") != nil {
                try await check(ask("STARTTLS"), "STARTTLS")
                try await encrypt()
                extensions = try await greet()
            } else if !server.isOfThisMachine {
                throw .unavailable("the mail server does not offer encryption (STARTTLS)")
            }
        }
        acceptsUTF8 = extensions.parameters(of: "SMTPUTF8") != nil
        accepts8Bit = extensions.parameters(of: "8BITMIME") != nil
        if let user = server.user {
            try await logIn(user, server.password ?? "", mechanisms: extensions.parameters(of: "AUTH") ?? [])
        }
    }

    /// - Returns: the answer to EHLO, which lists the server's capabilities.
    private func greet() async throws(DeliveryError) -> SMTPReply {
        let address = channel.localAddress
        let ip = address?.ipAddress ?? "127.0.0.1"
        let literal = address?.protocol == .inet6 ? "IPv6:\(ip.prefix { $0 != "%" })" : ip
        return try await check(ask("EHLO [\(literal)]"), "EHLO")
    }

    private func logIn(_ user: String, _ password: String, mechanisms: [String]) async throws(DeliveryError) {
        func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        if mechanisms.contains("PLAIN") {
            try await check(ask("AUTH PLAIN " + base64("\0\(user)\0\(password)")), "login")
        } else if mechanisms.contains("LOGIN") {
            try await check(ask("AUTH LOGIN"), "login")
            try await check(ask(base64(user)), "login")
            try await check(ask(base64(password)), "login")
        } else {
            throw .unavailable("the mail server offers neither PLAIN nor LOGIN authentication")
        }
    }

    // MARK: TLS

    private func encrypt() async throws(DeliveryError) {
        do {
            let context = try Self.tlsContext(server)
            try await channel.eventLoop.submit { [channel, replies, server] in
                guard replies.value.isQuiet else { throw SMTPReplyHandler.Failure.malformed }
                try channel.pipeline.syncOperations.addHandler(Self.tls(context, server), position: .first)
            }.get()
        } catch {
            throw .unavailable("encryption with the mail server failed: \(Self.reason(error))")
        }
    }

    private static func tlsContext(_ server: SMTPServer) throws -> NIOSSLContext {
        var settings = TLSConfiguration.makeClientConfiguration()
        settings.minimumTLSVersion = .tlsv12
        if let path = server.trustPath {
            settings.trustRoots = .file(path)
        } else if server.isOfThisMachine {
            // The connection does not leave this machine, and local mail servers often sign their own certificates.
            settings.certificateVerification = .none
        }
        return try NIOSSLContext(configuration: settings)
    }

    private static func tls(_ context: NIOSSLContext, _ server: SMTPServer) throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: server.host, port: server.port)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : server.host)
    }

    // MARK: Mails

    /// Announces an e-mail up to the point where the server asks for it. If the server has closed the connection since
    /// the last e-mail, this call fails before any text of the e-mail is sent.
    func begin(_ message: MailMessage) async throws(DeliveryError) {
        guard acceptsUTF8 || !message.needsUTF8 else {
            throw .refused("the mail server does not accept non-ASCII addresses (SMTPUTF8)")
        }
        let parameters = message.needsUTF8 ? (accepts8Bit ? " BODY=8BITMIME SMTPUTF8" : " SMTPUTF8") : ""
        try await step("MAIL FROM:<\(message.from.address)>" + parameters, "sender")
        try await step("RCPT TO:<\(message.to.address)>", "recipient")
        try await step("DATA", "mail")
    }

    /// Sends an announced e-mail.
    func complete(_ message: MailMessage) async throws(DeliveryError) {
        let bytes = Self.stuffed(message.bytes())
        try await check(ask(bytes, within: server.timeouts.taking, mayCancel: false), "mail")
    }

    /// Sends a command about one e-mail. After a refusal the connection is ready for the next.
    private func step(_ command: String, _ name: String) async throws(DeliveryError) {
        do throws(DeliveryError) {
            try await check(ask(command), name)
        } catch {
            if case .unavailable = error { throw error }
            try await check(ask("RSET"), "RSET")
            throw error
        }
    }

    /// The lines of a message, with a second dot before each leading one, and the line that ends it (RFC 5321 §4.5.2).
    static func stuffed(_ message: Data) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(message.count + 16)
        var isAtStart = true
        for byte in message {
            if isAtStart, byte == UInt8(ascii: ".") { buffer.writeInteger(byte) }
            buffer.writeInteger(byte)
            isAtStart = byte == UInt8(ascii: "\n")
        }
        buffer.writeString(isAtStart ? ".\r\n" : "\r\n.\r\n")
        return buffer
    }

    /// Sends QUIT and closes, without waiting long for an answer.
    func quit() async {
        var last = self
        last.deadline = .now() + .seconds(5)
        _ = try? await last.ask("QUIT")
        close()
    }

    func close() { channel.close(promise: nil) }

    // MARK: Asking

    private func ask(_ command: String) async throws(DeliveryError) -> SMTPReply {
        try await ask(ByteBuffer(string: command + "\r\n"))
    }

    private func ask(
        _ bytes: ByteBuffer?, within limit: Duration? = nil, mayCancel: Bool = true
    ) async throws(DeliveryError) -> SMTPReply {
        let limit = min(TimeAmount(limit ?? server.timeouts.answering), deadline - NIODeadline.now())
        do {
            guard limit > .zero else { throw SMTPReplyHandler.Failure.timeout }
            return try await withTaskCancellationHandler {
                try await channel.eventLoop.flatSubmit { [replies] in
                    replies.value.ask(bytes, within: limit, mayCancel: mayCancel)
                }.get()
            } onCancel: {
                channel.eventLoop.execute { [replies] in replies.value.cancel() }
            }
        } catch {
            throw .unavailable("the mail server does not answer: \(Self.reason(error))")
        }
    }

    /// - Throws: `DeliveryError` for a negative reply: permanent (5yz) or temporary (4yz). A server that closes the
    ///   connection, or requires another login, accepts no e-mails.
    @discardableResult
    private func check(_ reply: SMTPReply, _ step: String) throws(DeliveryError) -> SMTPReply {
        let reason = "\(step): \(reply.codes)"
        switch reply.code {
        case 200..<400: return reply
        case 421, 454, 530, 534, 535, 538: throw .unavailable(reason)
        case 400..<500: throw .deferred(reason)
        default: throw .refused(reason)
        }
    }

    /// The reason for the log, without anything that the server sent.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case SMTPReplyHandler.Failure.timeout, ChannelError.connectTimeout: "it took too long"
        case SMTPReplyHandler.Failure.closed: "it closed the connection"
        case SMTPReplyHandler.Failure.malformed: "it does not use SMTP"
        case SMTPReplyHandler.Failure.cancelled: "this server is shutting down"
        case SMTPReplyHandler.Failure.other(let error): reason(error)
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error) } ?? "its name is unknown"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        // The library has no case for this.
        case let error as NIOSSLError where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            "its certificate is not trusted"
        case is NIOSSLError: "TLS failed"
        default: "\(error)"
        }
    }
}

extension SMTPServer {
    /// The time by which an e-mail that is sent now must be accepted.
    fileprivate var deadline: NIODeadline { .now() + TimeAmount(timeouts.delivering) }
}

/// Sends e-mails through a server, over one connection for a series of them.
public actor SMTPTransport: MailTransport {
    private let server: SMTPServer
    private var connection: SMTPConnection?

    public init(_ server: SMTPServer) {
        self.server = server
    }

    public func deliver(_ message: MailMessage) async throws(DeliveryError) {
        do throws(DeliveryError) {
            try await begun(message, by: server.deadline).complete(message)
        } catch {
            // The state of the connection is unknown.
            if case .unavailable = error {
                connection?.close()
                connection = nil
            }
            throw error
        }
    }

    /// The connection on which the e-mail is announced. A connection that the server has closed since the last e-mail
    /// is replaced.
    private func begun(_ message: MailMessage, by deadline: NIODeadline) async throws(DeliveryError) -> SMTPConnection {
        if var open = connection {
            open.deadline = deadline
            do throws(DeliveryError) {
                try await open.begin(message)
                return open
            } catch {
                guard case .unavailable = error else { throw error }
                open.close()
                connection = nil
            }
        }
        let new = try await SMTPConnection.open(server, by: deadline)
        connection = new
        try await new.begin(message)
        return new
    }

    public func finish() async {
        let open = connection
        connection = nil
        await open?.quit()
    }
}
