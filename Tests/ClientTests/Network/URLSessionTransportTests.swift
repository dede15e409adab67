import Foundation
import PouchNetwork
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    let transport = URLSessionTransport()

    @Test(arguments: [#"Basic realm="x""#, #"Digest realm="x", nonce="y", qop="auth""#, "Bearer", "Negotiate"])
    func `a 401 comes back whole, whatever it asks for`(challenge: String) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno"
        }
        let response = try await transport.send(NetworkRequest(url: server.url("/")))
        #expect(response.status == 401)
        #expect(response.data == Data("no".utf8))
        #expect(server.heads.count == 1)
    }

    @Test func `method, header fields and body arrive, and what the server answers comes back`() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 201 Created\r\nETag: \"7\"\r\nContent-Length: 2\r\n\r\nok" }
        let response = try await transport.send(
            NetworkRequest(url: server.url("/a?b=%2F"), method: "PUT", headers: ["X-One": "1"], body: Data("{}".utf8)))
        let head = try #require(server.heads.first)
        #expect(head.hasPrefix("PUT /a?b=%2F HTTP/1.1\r\n"))
        #expect(head.contains("X-One: 1\r\n"))
        #expect(head.lowercased().contains("content-length: 2\r\n"))
        #expect(response.status == 201)
        #expect(response.headers["etag"] == "\"7\"")
        #expect(response.data == Data("ok".utf8))
    }

    @Test func `a file is sent as it is, and its progress is told to the end`() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok" }
        let bytes = Data((0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let file = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let progress = Mutex<[(sent: Int64, total: Int64)]>([])
        let upload = FileUpload(file: file) { sent, total in progress.withLock { $0.append((sent, total)) } }
        let response = try await transport.send(
            NetworkRequest(
                url: server.url("/"), method: "POST", headers: ["Content-Type": "text/csv"], upload: upload,
                timeout: nil))
        #expect(response.status == 202)
        #expect(server.bodies == [bytes])
        #expect(server.heads.first?.contains("Content-Type: text/csv\r\n") == true)
        let told = progress.withLock { $0 }
        #expect(told.last?.sent == Int64(bytes.count))
        #expect(told.allSatisfy { $0.total == Int64(bytes.count) })
        #expect(told.map(\.sent) == told.map(\.sent).sorted())
    }

    @Test func `a file that is not there is an error, and nothing is sent`() async throws {
        let server = try LoopbackServer { _ in nil }
        let upload = FileUpload(file: URL(filePath: "/nonexistent/feed.csv"))
        await #expect(throws: NetworkError.self) {
            try await transport.send(NetworkRequest(url: server.url("/"), method: "POST", upload: upload))
        }
        #expect(server.heads.isEmpty)
    }

    @Test func `a request with a token is not redirected to another origin`() async throws {
        let other = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        let target = try other.url("/stolen").absoluteString
        let server = try LoopbackServer { _ in
            "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n"
        }
        let response = try await transport.send(
            NetworkRequest(url: server.url("/"), headers: ["Authorization": "Bearer x"]))
        #expect(response.status == 302)
        #expect(other.heads.isEmpty)
    }

    @Test func `a request without a token is redirected to another origin`() async throws {
        let other = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" }
        let target = try other.url("/there").absoluteString
        let server = try LoopbackServer { _ in
            "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n"
        }
        let response = try await transport.send(NetworkRequest(url: server.url("/")))
        #expect(response.data == Data("ok".utf8))
    }

    @Test func `a redirect within the origin keeps the token`() async throws {
        let server = try LoopbackServer { head in
            head.hasPrefix("GET /old")
                ? "HTTP/1.1 307 Temporary Redirect\r\nLocation: /new\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
        }
        let response = try await transport.send(
            NetworkRequest(url: server.url("/old"), headers: ["Authorization": "Bearer x"]))
        #expect(response.status == 200)
        #expect(server.heads.last?.contains("Authorization: Bearer x\r\n") == true)
    }

    @Test func `cookies are not sent back`() async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
        for _ in 0..<2 { _ = try await transport.send(NetworkRequest(url: server.url("/"))) }
        #expect(server.heads.count == 2)
        #expect(!server.heads.joined().lowercased().contains("cookie:"))
    }

    @Test func `an answer that may be cached is asked for again`() async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
        for _ in 0..<2 { _ = try await transport.send(NetworkRequest(url: server.url("/"))) }
        #expect(server.heads.count == 2)
    }

    @Test func `a port where nobody listens is unreachable`() async throws {
        // Port 9 is "discard", which nothing offers any more.
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        await #expect {
            _ = try await transport.send(NetworkRequest(url: url))
        } throws: { error in
            if case .unreachable = error as? NetworkError { true } else { false }
        }
    }

    @Test func `cancelling ends a request that the server does not answer`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            gate.open()
            return nil
        }
        let url = try server.url("/")
        let task = Task { [transport] in try await transport.send(NetworkRequest(url: url)) }
        await gate.pass()
        task.cancel()
        await #expect(throws: NetworkError.cancelled) { _ = try await task.value }
    }
}
