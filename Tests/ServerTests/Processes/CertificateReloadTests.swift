import NIOCore
import NIOPosix
import NIOSSL
import ServerTesting
import Subprocess
import Testing

@Suite("Reloading the certificate", .timeLimit(.minutes(10)), .inFolder)
struct CertificateReloadProcessTests {
    private let folder = TemporaryFolder.current

    private func serve(
        _ certificate: Certificate, _ body: @Sendable (ServerProgram.Serving) async throws -> Void
    ) async throws -> ServerProgram.Outcome {
        try await ServerProgram.serve(
            on: TestDatabase(in: folder).text,
            ["--tls-certificate", certificate.file.path, "--tls-key", certificate.key.path], body)
    }

    @Test func `SIGHUP gives new connections the new certificate, while open ones stay`() async throws {
        func made(_ name: String) async throws -> Certificate {
            try await Certificate(for: "IP:127.0.0.1", in: folder.folder(name))
        }
        let (served, next, last) = (try await made("served"), try await made("next"), try await made("last"))
        let first = try served.content
        let outcome = try await serve(served) { server in
            let open = try await TLSConnection(port: server.port)
            #expect(open.certificate == first)
            #expect(try await open.isLive())

            try served.take(next)
            try server.send(.terminalClosed)
            try await eventually { try await certificate(of: server) == next.content }
            #expect(try await open.isLive())

            // The key of one and the certificate of another are refused; the server keeps what it has.
            try Data(contentsOf: last.file).write(to: served.file)
            try server.send(.terminalClosed)
            try await eventually {
                try server.send(.terminalClosed)
                return try await certificate(of: server) == next.content
            }
            try served.take(last)
            try server.send(.terminalClosed)
            try await eventually { try await certificate(of: server) == last.content }
            #expect(try await open.isLive())
            try await open.close()
        }
        for text in ["certificate reloaded", "certificate not reloaded"] {
            #expect(outcome.errors.contains(text), "\(outcome.errors)")
        }
    }

    @Test func `TLS 1.2 uses forward secrecy and authenticated ciphers`() async throws {
        _ = try await serve(try await Certificate(for: "IP:127.0.0.1", in: folder)) { server in
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.maximumTLSVersion = .tlsv12
            for suites in ["ECDHE+AESGCM", "ECDHE+CHACHA20"] {
                settings.cipherSuites = suites
                let connection = try await TLSConnection(port: server.port, settings)
                #expect(!connection.certificate.isEmpty, "\(suites)")
                try await connection.close()
            }
            for suites in ["AES128-SHA", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA"] {
                settings.cipherSuites = suites
                let refused = try await TLSConnection(port: server.port, settings)
                #expect(refused.certificate.isEmpty, "\(suites)")
                try? await refused.close()
            }
        }
    }

    /// The certificate that a new connection gets.
    private func certificate(of server: ServerProgram.Serving) async throws -> [UInt8] {
        let connection = try await TLSConnection(port: server.port)
        try await connection.close()
        return connection.certificate
    }

    @Test func `Without TLS the signal has no effect`() async throws {
        try await ServerProgram.serve(on: try await TestDatabase(in: folder).text) { server in
            try server.send(.terminalClosed)
            #expect(try await server.anyone.send("GET", "/health/live").status == 200)
        }
    }
}

extension Certificate {
    fileprivate var content: [UInt8] { get throws { try NIOSSLCertificate.fromPEMFile(file.path)[0].toDERBytes() } }

    /// Replaces the files by those of another.
    fileprivate func take(_ other: Certificate) throws {
        try Data(contentsOf: other.key).write(to: key)
        try Data(contentsOf: other.file).write(to: file)
    }
}

/// A connection to a server on this machine, whose certificate it notes and does not check.
private struct TLSConnection: Sendable {
    /// The certificate of the server in DER.
    let certificate: [UInt8]
    private let channel: any Channel
    private let texts: AsyncStream<String>

    /// - Throws: an error of the connection. One that is refused in the handshake has no certificate.
    init(port: Int, _ settings: TLSConfiguration = .makeClientConfiguration()) async throws {
        let (certificates, certificate) = AsyncStream.makeStream(of: [UInt8].self)
        let (texts, text) = AsyncStream.makeStream(of: String.self)
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(
                        context: NIOSSLContext(configuration: settings), serverHostname: nil,
                        customVerificationCallback: { chain, verified in
                            certificate.yield((try? chain[0].toDERBytes()) ?? [])
                            verified.succeed(.certificateVerified)
                        })
                    try channel.pipeline.syncOperations.addHandlers(tls, Inbox(text, certificate))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        self.texts = texts
        var shown = certificates.makeAsyncIterator()
        self.certificate = await shown.next() ?? []
    }

    /// Whether the server answers a request on this connection.
    func isLive() async throws -> Bool {
        try await channel.writeAndFlush(ByteBuffer(string: "GET /health/live HTTP/1.1\r\nHost: pouch\r\n\r\n"))
        var answer = ""
        for await text in texts {
            answer += text
            if answer.contains("\"live\"") { return answer.hasPrefix("HTTP/1.1 200") }
        }
        return false
    }

    func close() async throws { try await channel.close() }

    /// Passes on what arrives, until the connection ends.
    private final class Inbox: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let text: AsyncStream<String>.Continuation
        private let certificate: AsyncStream<[UInt8]>.Continuation

        init(_ text: AsyncStream<String>.Continuation, _ certificate: AsyncStream<[UInt8]>.Continuation) {
            self.text = text
            self.certificate = certificate
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text.yield(String(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) {
            text.finish()
            certificate.finish()
        }
    }
}
