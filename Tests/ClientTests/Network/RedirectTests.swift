import ClientTesting
import Foundation
import Loopback
import PouchNetwork
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
    private static let ok = httpAnswer(body: "ok")

    private static func redirect(_ status: Int, to target: String) -> String {
        httpAnswer("\(status) Elsewhere", "Location: \(target)")
    }

    private func response(to request: NetworkRequest, over kind: SomeTransport) async throws -> NetworkResponse {
        try await NetworkSession(kind.make()).stream(request).collected()
    }

    /// A server that redirects every request to another one, which answers 200.
    private func redirectingServer(
        _ status: Int = 302, host: String = "127.0.0.1"
    ) throws -> (server: LoopbackServer, other: LoopbackServer) {
        let other = try LoopbackServer { _ in Self.ok }
        let target = try other.url("/there", host: host).absoluteString
        return (try LoopbackServer { _ in Self.redirect(status, to: target) }, other)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a request with a token is not redirected to another origin`(kind: SomeTransport) async throws {
        let (server, other) = try redirectingServer()
        let request = NetworkRequest(url: try server.url("/"), headers: ["Authorization": "Bearer x"])
        #expect(try await response(to: request, over: kind).status == 302)
        #expect(other.heads.isEmpty)
    }

    @Test(arguments: [307, 308])
    func `a body is not redirected to another origin, since it may hold a password`(status: Int) async throws {
        let (server, other) = try redirectingServer(status)
        let request = NetworkRequest(url: try server.url("/"), method: "POST", body: Data("secret".utf8))
        #expect(try await response(to: request, over: .urlSession).status == status)
        #expect(other.heads.isEmpty)
    }

    @Test(arguments: SomeTransport.allCases, ["127.0.0.1", "ada:pass@127.0.0.1"])
    func `a request without a token is redirected to another origin, without user and password`(
        kind: SomeTransport, host: String
    ) async throws {
        let (server, other) = try redirectingServer(host: host)
        let url = try server.url("/", host: host)
        #expect(try await response(to: NetworkRequest(url: url), over: kind).data == Data("ok".utf8))
        #expect(server.heads.count == 1 && other.heads.count == 1)
        for head in server.heads + other.heads { #expect(!head.lowercased().contains("authorization:"), "\(head)") }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a redirect within the origin keeps the token`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { head in
            head.hasPrefix("GET /old") ? Self.redirect(307, to: "/new") : Self.ok
        }
        let request = NetworkRequest(url: try server.url("/old"), headers: ["Authorization": "Bearer x"])
        #expect(try await response(to: request, over: kind).status == 200)
        #expect(server.heads.last?.contains("Authorization: Bearer x\r\n") == true)
    }

    @Test(
        arguments: [
            (303, "PUT", "GET"), (303, "POST", "GET"), (303, "HEAD", "HEAD"), (302, "POST", "GET"),
            (308, "POST", "POST"),
        ])
    func `the status decides whether a redirect keeps the method, the body and the fields of the body and the write`(
        status: Int, method: String, then: String
    ) async throws {
        let transport = RecordingTransport { request in
            request.url.path() == "/old"
                ? NetworkResponse(status: status, headers: ["Location": "new"]) : NetworkResponse(status: 200)
        }
        let request = NetworkRequest(
            url: try #require(URL(string: "http://127.0.0.1/old")), method: method,
            headers: [
                "content-type": "text/csv", "Content-Encoding": "gzip", "Idempotency-Key": "1", "If-Match": "\"1\"",
                "Accept": "a/b",
            ], body: Data("x".utf8))
        _ = try await NetworkSession(transport).stream(request)
        let last = try #require(transport.requests.last)
        #expect(last.url.absoluteString == "http://127.0.0.1/new" && last.method == then)
        #expect(last.body == (then == "GET" ? nil : request.body))
        #expect(last.headers == (then == "GET" ? ["Accept": "a/b"] : request.headers))
    }

    @Test(arguments: SomeTransport.allCases)
    func `a redirect loop ends with tooManyRedirects`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in Self.redirect(302, to: "/again") }
        await #expect(throws: NetworkError.tooManyRedirects) {
            _ = try await response(to: NetworkRequest(url: server.url("/")), over: kind)
        }
        #expect(server.heads.count == 6)
    }

    @Test(
        arguments: [
            ("https", "http://127.0.0.1/"), ("HTTPS", "http://127.0.0.1/plain"), ("https", "ftp://127.0.0.1/"),
            ("https", "file:///etc/passwd"), ("https", "https://"), ("https", ""),
        ])
    func `https, in any spelling, is redirected only to another https`(scheme: String, target: String) async throws {
        let transport = RecordingTransport { _ in NetworkResponse(status: 302, headers: ["Location": target]) }
        let url = try #require(URL(string: "\(scheme)://127.0.0.1/"))
        // An empty location leads back to the same URL, which is a loop.
        var session = NetworkSession(transport)
        session.redirectLimit = 2
        let response = try? await session.stream(NetworkRequest(url: url))
        #expect(target.isEmpty || response?.status == 302 && transport.requests.count == 1)
        #expect(transport.requests.allSatisfy { $0.url == url })
    }
}

struct RedactionTests {
    @Test func `a write answered with a redirect counts as sent, even if its target is unreachable`() async throws {
        let transport = RecordingTransport { request throws(NetworkError) in
            guard request.method == "POST" else { throw .unreachable("gone") }
            return NetworkResponse(status: 303, headers: ["Location": "/done"])
        }
        var request = NetworkRequest(url: try #require(URL(string: "http://shop.test/v1/orders")), method: "POST")
        let session = NetworkSession(transport, retries: .withoutPauses(deadline: nil))
        let payload = await NetworkOperation(request, in: session).run()
        #expect(payload.error == .connectionLost(#"after a redirect: unreachable("gone")"#))
        #expect(payload.attempts.map(\.mayHaveArrived) == [true])
        #expect(transport.requests.map(\.method) == ["POST", "GET"], "the write was not sent again")
        request.method = "GET"
        #expect(await NetworkOperation(request, over: transport).run().error == .unreachable("gone"))
    }

    @Test func `neither printing nor dumping a payload shows tokens, passwords or bodies`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1/v1/sessions"))
        let request = NetworkRequest(
            url: url, method: "POST", headers: ["authorization": "Bearer secret-token", "Accept": "a/b"],
            body: Data("secret-password".utf8))
        let transport = StubTransport { _ in NetworkResponse(status: 200, data: Data("secret-answer".utf8)) }
        // A fixed time, whose digits do not contain the searched ones.
        let session = NetworkSession(transport, now: { Date(timeIntervalSince1970: 0) })
        let payload = await NetworkOperation(request, in: session).run()
        for text in ["\(payload)", String(reflecting: payload), dumped(payload)] {
            #expect(!text.contains("secret"))
            // The letter s as a number: a dump of the bytes would reveal the body, too.
            #expect(!text.contains("115"))
            #expect(text.contains("a/b"), "fields that are not secret are shown")
        }
    }

    @Test func `neither cookies nor the password and query values in a URL are shown`() throws {
        let request = NetworkRequest(
            url: try #require(URL(string: "http://me:secret@127.0.0.1/path?q=secret&secret")),
            headers: ["Cookie": "id=secret", "set-cookie": "id=secret", "Proxy-Authorization": "secret"])
        for text in ["\(request)", dumped(request), request.headers.fields.map { "\($0)" }.joined()] {
            #expect(!text.contains("secret"))
        }
        #expect("\(request)".contains("127.0.0.1/path?q=*&*"))
    }

    @Test func `header fields are found and replaced without regard to case`() {
        var headers: HeaderFields = ["etag": "1", "ETag": "2"]
        #expect(headers["ETAG"] == "1")
        headers["Etag"] = "3"
        #expect(headers.fields == [.init(name: "Etag", value: "3")])
        headers["etag"] = nil
        #expect(headers.fields.isEmpty)
    }
}
