import ClientTesting
import Foundation
import Loopback
import PouchCurl
import PouchNetwork
import PouchTesting
import Synchronization
import Testing

/// Connections that break, and servers that speak another protocol than the URL says.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func error(_ kind: SomeTransport, _ url: URL, trust: ServerTrust = .system) async throws -> NetworkError? {
        try await kind.make(trust: trust).error(of: NetworkRequest(url: url))
    }

    @Test(
        arguments: SomeTransport.robust,
        ["HTT", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"])
    func `a connection that ends within the head is lost`(kind: SomeTransport, head: String) async throws {
        let server = try LoopbackServer { _ in head }
        #expect(try await error(kind, server.url("/"))?.isConnectionLost == true)
    }

    @Test(arguments: SomeTransport.robust)
    func `a connection with TLS that ends within the head is lost, too`(kind: SomeTransport) async throws {
        let server = try await TLSServer(answer: "HTTP/1.1 200 OK\r\nContent-Le")
        let error = try await error(kind, server.url(), trust: .certificates([TestCertificate.server]))
        #expect(error?.isConnectionLost == true)
    }

    @Test(arguments: SomeTransport.robust)
    func `a head that never ends is an error before it fills the memory`(kind: SomeTransport) async throws {
        let written = Counter()
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\n")
            let field = "X-Field: \(String(repeating: "x", count: 1000))\r\n"
            while written.value < 20_000, connection.write(field) { written.increment() }
        }
        _ = try await error(kind, server.url("/"))
        #expect(written.value < 20_000)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a server without TLS and a wrong certificate are different errors`(kind: SomeTransport) async throws {
        let server = try await PlainServer()
        #expect(try await error(kind, server.url("https"))?.isWithoutTLS == true)
    }

    @Test(arguments: SomeTransport.allCases)
    func `an answer that is not HTTP and a lost connection are different errors`(kind: SomeTransport) async throws {
        // The alert of a TLS server that gets an http request.
        let server = try await PlainServer(answer: Data([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46]))
        #expect(try await error(kind, server.url("http"))?.isNoHTTP == true)
    }

    @Test(
        arguments: SomeTransport.allCases,
        ["localhost:18200", "/nope", "file:///tmp/feed", "ftp://127.0.0.1/feed", "http:", "http:///path", "mailto:a@b"])
    func `an address without http or a host is an error of its own`(kind: SomeTransport, address: String) async throws {
        #expect(try await error(kind, try #require(URL(string: address))) == .invalidAddress)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a server that ends the handshake with an alert does not trust the client`(kind: SomeTransport) async throws {
        // handshake_failure: no common cipher, or a client's certificate is required.
        let server = try await PlainServer(answer: Data([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]))
        let error = try await error(kind, server.url("https"))
        #expect(error?.isUntrusted == true, "\(String(describing: error))")
    }

    @Test(arguments: SomeTransport.robust, ["\u{2028}", "\u{85}", "\u{B}", "\u{C}", "\r"])
    func `only a line feed ends a header field`(kind: SomeTransport, character: String) async throws {
        let server = try LoopbackServer { _ in
            httpAnswer("200 OK", "X-Name: a\(character)Set-Cookie: sid=evil", body: "ok")
        }
        let response = try? await kind.make().response(to: NetworkRequest(url: server.url("/")))
        #expect(response?.headers["Set-Cookie"] == nil)
        // SwiftNIO refuses a head with a control character.
        guard kind != .asyncHTTPClient else { return }
        #expect(response?.headers["X-Name"]?.contains("sid=evil") == true)
        #expect(response?.headers["X-Name"]?.contains("\r") == false)
        #expect(response?.data == Data("ok".utf8))
    }

    #if os(Linux)
        @Test func `a connection that ends within the handshake is unreachable for libcurl`() async throws {
            let server = try await PlainServer(answer: Data())
            let error = try await error(.curl, server.url("https"))
            #expect(error?.isUnreachable == true, "\(String(describing: error))")
        }

        @Test func `a proxy that makes no tunnel is an error that names it and says that nothing was sent`() async {
            // In a process of its own, whose environment names the proxy.
            await #expect(processExitsWith: .success) {
                let forbidden = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
                for answer in [forbidden, ""] {
                    let proxy = try LoopbackServer { _ in answer }
                    setenv("https_proxy", try proxy.url("").absoluteString, 1)
                    let url = try #require(URL(string: "https://shop.invalid/"))
                    let error = try await CurlTransport().error(of: NetworkRequest(url: url, method: "POST"))
                    #expect(error?.isUnreachable == true && "\(String(describing: error))".contains("proxy"))
                    #expect(proxy.heads.first?.hasPrefix("CONNECT shop.invalid:443 ") == true)
                }
            }
        }
    #endif

    // MARK: - Kept connections

    private static let key: HeaderFields = ["Idempotency-Key": "k"]

    @Test(arguments: SomeTransport.robust)
    func `requests share a connection, with and without a body`(kind: SomeTransport) async throws {
        let connections = Counter()
        let server = try LoopbackServer { _, connection in
            connections.increment()
            repeat { connection.write(Self.ok) } while connection.nextRequest() != nil
        }
        let (transport, url) = (try kind.make(), try server.url("/"))
        for method in ["GET", "PUT", "GET", "POST"] {
            let body = method == "GET" ? nil : Data("{}".utf8)
            let request = NetworkRequest(url: url, method: method, body: body)
            #expect(try await transport.response(to: request).status == 200)
        }
        #expect(connections.value == 1)
        #expect(server.heads.count == 4)
    }

    private static let writes: [(body: Data?, headers: HeaderFields)] = [
        (nil, [:]), (Data(), [:]), (Data("{}".utf8), [:]), (nil, key), (Data("{}".utf8), key),
    ]

    /// Otherwise a second try that finds no connection would hide that the first may have arrived.
    @Test(arguments: SomeTransport.robust, writes)
    func `a write on a kept connection that ends without an answer is lost and not sent again`(
        kind: SomeTransport, write: (body: Data?, headers: HeaderFields)
    ) async throws {
        let server = try LoopbackServer { head, connection in
            guard head.hasPrefix("GET") else { return }
            connection.write(Self.ok)
            _ = connection.nextRequest()
        }
        let (transport, url) = (try kind.make(), try server.url("/"))
        #expect(try await transport.response(to: NetworkRequest(url: url)).status == 200)
        let request = NetworkRequest(url: url, method: "POST", headers: write.headers, body: write.body)
        #expect(await transport.error(of: request)?.isConnectionLost == true)
        #expect(server.heads.count == 2)
    }

    #if os(Linux)
        @Test func `an error of libcurl has a number and an explanation`() async throws {
            let error = try await error(.curl, #require(URL(string: "http://127.0.0.1:1/")))
            guard case .unreachable(let text)? = error else { throw CancellationError() }
            #expect(text.hasPrefix("libcurl error 7, ") && text.contains("connect"))
        }

        /// Ends with the second request on a connection, without an answer, and refuses connections then.
        private final class EndingServer: Sendable {
            private let server = Mutex<LoopbackServer?>(nil)

            func start() throws -> URL {
                let made = try LoopbackServer { _, connection in
                    connection.write(ConnectionTests.ok)
                    _ = connection.nextRequest()
                    self.server.withLock { $0 = nil }
                }
                server.withLock { $0 = made }
                return try made.url("/")
            }
        }

        /// libcurl connects again by itself, and would report that no connection was made.
        @Test func `a write on a kept connection that ends with its server may have arrived`() async throws {
            let (transport, url) = (try CurlTransport(), try EndingServer().start())
            #expect(try await transport.response(to: NetworkRequest(url: url)).status == 200)
            let error = await transport.error(of: NetworkRequest(url: url, method: "POST", body: Data("{}".utf8)))
            #expect(error?.isConnectionLost == true && error?.meansNothingWasSent == false)
        }

        @Test func `libcurl replaces a connection that the server closed between two requests`() async throws {
            let closed = Gate()
            let server = try LoopbackServer { _, connection in
                connection.write(Self.ok)
                connection.shutDown()
                closed.open()
            }
            let (transport, url) = (try CurlTransport(), try server.url("/"))
            for method in ["GET", "POST"] {
                let request = NetworkRequest(url: url, method: method, body: method == "POST" ? Data("{}".utf8) : nil)
                #expect(try await transport.response(to: request).data == Data("ok".utf8))
                await closed.pass()
            }
            #expect(server.heads.count == 2)
        }

        @Test func `a file is sent again from its start if a kept connection ends without an answer`() async throws {
            let server = try LoopbackServer { head, connection in
                connection.write(Self.ok)
                guard head.hasPrefix("GET") else { return connection.waitForEnd() }
                _ = connection.nextRequest()
            }
            // Several chunks.
            let bytes = Data(String(repeating: "0123456789", count: 70_000).utf8)
            let folder = try TemporaryFolder()
            try bytes.write(to: folder.file("feed.csv"))
            let (transport, url) = (try CurlTransport(), try server.url("/"))
            #expect(try await transport.response(to: NetworkRequest(url: url)).status == 200)
            let upload = FileUpload(file: folder.file("feed.csv"))
            let session = NetworkSession(transport, retries: .withoutPauses(attempts: 2, deadline: nil))
            let request = NetworkRequest(url: url, method: "PUT", upload: upload)
            #expect(await NetworkOperation(request, in: session).run().response?.status == 200)
            #expect(server.bodies == [bytes, bytes])
        }
    #endif

    @Test(arguments: SomeTransport.robust)
    func `dropping the transport closes its connections`(kind: SomeTransport) async throws {
        let ended = Gate()
        let server = try LoopbackServer(beginning: Self.ok, closed: ended)
        do {
            let transport = try kind.make()
            #expect(try await transport.response(to: NetworkRequest(url: server.url("/"))).status == 200)
        }
        await ended.pass()
        #expect(server.heads.count == 1)
    }
}
