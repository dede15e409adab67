import Foundation
import PouchNetwork
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    private func answer(_ request: NetworkRequest, over kind: SomeTransport) async throws -> NetworkResponse {
        try await NetworkSession(kind.make()).stream(request).collected()
    }

    private static func redirect(_ status: Int, to target: String) -> String {
        "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    @Test(arguments: SomeTransport.allCases)
    func `a request with a token is not redirected to another origin`(kind: SomeTransport) async throws {
        let other = try LoopbackServer { _ in Self.ok }
        let target = try other.url("/stolen").absoluteString
        let server = try LoopbackServer { _ in Self.redirect(302, to: target) }
        let response = try await answer(
            NetworkRequest(url: server.url("/"), headers: ["Authorization": "Bearer x"]), over: kind)
        #expect(response.status == 302)
        #expect(other.heads.isEmpty)
    }

    @Test(arguments: [307, 308])
    func `a body is not redirected to another origin, since it may hold a password`(status: Int) async throws {
        let other = try LoopbackServer { _ in Self.ok }
        let target = try other.url("/stolen").absoluteString
        let server = try LoopbackServer { _ in Self.redirect(status, to: target) }
        let response = try await answer(
            NetworkRequest(url: server.url("/"), method: "POST", body: Data("secret".utf8)), over: .urlSession)
        #expect(response.status == status)
        #expect(other.heads.isEmpty)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a request without a token is redirected to another origin`(kind: SomeTransport) async throws {
        let other = try LoopbackServer { _ in Self.ok }
        let target = try other.url("/there").absoluteString
        let server = try LoopbackServer { _ in Self.redirect(302, to: target) }
        #expect(try await answer(NetworkRequest(url: server.url("/")), over: kind).data == Data("ok".utf8))
    }

    @Test(arguments: SomeTransport.allCases)
    func `a redirect within the origin keeps the token`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { head in
            head.hasPrefix("GET /old") ? Self.redirect(307, to: "/new") : Self.ok
        }
        let response = try await answer(
            NetworkRequest(url: server.url("/old"), headers: ["Authorization": "Bearer x"]), over: kind)
        #expect(response.status == 200)
        #expect(server.heads.last?.contains("Authorization: Bearer x\r\n") == true)
    }

    @Test(arguments: [(303, "PUT", "GET"), (303, "HEAD", "HEAD"), (302, "POST", "GET"), (308, "POST", "POST")])
    func `method and body stay where the status says so`(status: Int, method: String, then: String) async throws {
        let transport = RecordingTransport { request in
            request.url.path() == "/old"
                ? NetworkResponse(status: status, headers: ["Location": "new"]) : NetworkResponse(status: 200)
        }
        let url = try #require(URL(string: "http://127.0.0.1/old"))
        let request = NetworkRequest(
            url: url, method: method, headers: ["Content-Type": "a/b"], body: Data("x".utf8))
        _ = try await NetworkSession(transport).stream(request)
        let last = try #require(transport.requests.last)
        #expect(last.url.absoluteString == "http://127.0.0.1/new")
        #expect(last.method == then)
        #expect((last.body == nil) == (then == "GET"))
        #expect((last.headers["Content-Type"] == nil) == (then == "GET"))
    }

    @Test(arguments: SomeTransport.allCases)
    func `a circle of redirects ends with an error that says so`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in Self.redirect(302, to: "/again") }
        await #expect(throws: NetworkError.tooManyRedirects) {
            _ = try await answer(NetworkRequest(url: server.url("/")), over: kind)
        }
        #expect(server.heads.count == 6)
    }

    @Test(arguments: ["http://127.0.0.1/", "ftp://127.0.0.1/", "file:///etc/passwd", "https://", ""])
    func `from https nothing is sent on in the clear, and nowhere but to another server`(
        target: String
    ) async throws {
        let transport = RecordingTransport { _ in NetworkResponse(status: 302, headers: ["Location": target]) }
        let url = try #require(URL(string: "https://127.0.0.1/"))
        // A place that is the same one is a circle.
        let session = NetworkSession(transport, redirectLimit: 2)
        let response = try? await session.stream(NetworkRequest(url: url))
        #expect(response?.status == 302 || target.isEmpty)
        #expect(transport.requests.allSatisfy { $0.url == url })
    }
}
