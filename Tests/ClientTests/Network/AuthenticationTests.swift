import Foundation
import PouchNetwork
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AuthenticationTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    private static func challenge(_ text: String) -> String {
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(text)\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
    }

    @Test(
        arguments: [
            ("Basic", [.init(scheme: "basic")]),
            (#"Basic realm="a, b=\"c\" \\""#, [.init(scheme: "basic", parameters: ["realm": #"a, b="c" \"#])]),
            ("Negotiate YWJj==", [.init(scheme: "negotiate", token68: "YWJj==")]),
            ("NTLM abc", [.init(scheme: "ntlm", token68: "abc")]),
            (
                #"Negotiate, Digest realm="x", qop="auth,auth-int" , nonce = "n" , stale=TRUE,Basic REALM=y"#,
                [
                    .init(scheme: "negotiate"),
                    .init(
                        scheme: "digest",
                        parameters: ["realm": "x", "qop": "auth,auth-int", "nonce": "n", "stale": "TRUE"]),
                    .init(scheme: "basic", parameters: ["realm": "y"]),
                ]
            ),
            (",, Basic a=1,,", [.init(scheme: "basic", parameters: ["a": "1"])]),
            ("Basic a=1, a=2", [.init(scheme: "basic", parameters: ["a": "1"])]),
            (#"Basic realm="unclosed"#, [.init(scheme: "basic", parameters: ["realm": "unclosed"])]),
            (#"@@@ , "x" , Basic a=1"#, [.init(scheme: "basic", parameters: ["a": "1"])]),
            ("a=1", []), ("", []), (#"""#, []), ("=", []),
        ] as [(String, [AuthenticationChallenge])])
    func `challenges are read, several in a field as well as one`(
        field: String, challenges: [AuthenticationChallenge]
    ) {
        #expect(AuthenticationChallenge.all(in: ["WWW-Authenticate": field]) == challenges)
    }

    @Test func `challenges in several fields are all there, in their order`() {
        let headers: HeaderFields = ["WWW-Authenticate": "One", "www-authenticate": "Two, Three a=b"]
        #expect(AuthenticationChallenge.all(in: headers).map(\.scheme) == ["one", "two", "three"])
    }

    @Test func `random bytes in a challenge neither hang nor crash the reader`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array(#"aB=",\ /"#)
        for _ in 0..<5_000 {
            let text = String((0..<20).map { _ in alphabet.randomElement(using: &generator) ?? "x" })
            _ = AuthenticationChallenge.all(in: ["WWW-Authenticate": text])
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a challenge for Basic is answered once, and later requests bring the password along`(
        kind: SomeTransport
    ) async throws {
        let server = try LoopbackServer { head in
            head.contains("Authorization: Basic w6RkYTpww6RzczpA\r\n") ? Self.ok : Self.challenge(#"Basic realm="x""#)
        }
        let handler = try #require(BasicAuthentication(user: "äda", password: "päss:@", server: server.url("/x")))
        let session = NetworkSession(try kind.make(), authentication: handler)
        for _ in 0..<2 {
            let payload = await NetworkOperation(NetworkRequest(url: try server.url("/")), in: session).run()
            #expect(payload.response?.status == 200)
        }
        #expect(server.heads.count == 3)
        #expect("\(handler)".contains("BasicAuthentication"))
        var dumped = ""
        dump(handler, to: &dumped)
        #expect(!dumped.contains("w6RkYTpww6RzczpA"))
    }

    @Test(arguments: SomeTransport.allCases)
    func `a wrong password is tried once and the 401 is the answer`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in Self.challenge(#"Basic realm="x""#) }
        let session = NetworkSession(
            try kind.make(), authentication: BasicAuthentication(user: "a", password: "b", server: try server.url("/")))
        let payload = await NetworkOperation(NetworkRequest(url: try server.url("/")), in: session).run()
        #expect(payload.response?.status == 401)
        #expect(payload.data == Data("no".utf8))
        #expect(server.heads.count == 2)
    }

    @Test func `what Basic cannot say is no handler`() throws {
        let url = try #require(URL(string: "https://127.0.0.1/"))
        #expect(BasicAuthentication(user: "a:b", password: "c", server: url) == nil)
        #expect(BasicAuthentication(user: "a", password: "b\r\nX: y", server: url) == nil)
    }

    @Test func `a password goes to no other origin, neither asked for nor by a redirect`() async throws {
        let other = try LoopbackServer { _ in Self.challenge(#"Basic realm="x""#) }
        let target = try other.url("/").absoluteString
        let server = try LoopbackServer { head in
            guard head.contains("Authorization") else { return Self.challenge(#"Basic realm="x""#) }
            return "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
        let handler = BasicAuthentication(user: "a", password: "b", server: try server.url("/"))
        let session = NetworkSession(URLSessionTransport(), authentication: handler)
        for url in [try server.url("/"), try other.url("/direct")] {
            let payload = await NetworkOperation(NetworkRequest(url: url), in: session).run()
            #expect(payload.response?.status == 401)
        }
        #expect(other.heads.count == 2)
        #expect(!other.heads.joined().contains("Authorization"))
    }

    @Test func `a request with credentials of its own keeps them`() async throws {
        let transport = RecordingTransport { _ in
            NetworkResponse(status: 401, headers: ["WWW-Authenticate": "Basic"])
        }
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let session = NetworkSession(
            transport, authentication: BasicAuthentication(user: "a", password: "b", server: url))
        let request = NetworkRequest(url: url, headers: ["Authorization": "Bearer x"])
        _ = await NetworkOperation(request, in: session).run()
        #expect(transport.requests == [request])
    }

    @Test func `a challenge is put to the handler once, and cancelling while it thinks ends the operation once`()
        async throws
    {
        let handler = SlowHandler()
        let transport = RecordingTransport { _ in
            NetworkResponse(status: 401, headers: ["WWW-Authenticate": "Basic"])
        }
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let operation = NetworkOperation(
            NetworkRequest(url: url), in: NetworkSession(transport, authentication: handler))
        async let payload = operation.run()
        await handler.gate.held(1)
        operation.cancel()
        #expect(await payload.error == .cancelled)
        handler.gate.open()
        #expect(await operation.run().error == .cancelled)
        #expect(handler.asked.value == 1)
    }
}

private final class SlowHandler: AuthenticationHandler {
    let gate = Gate()
    let asked = Counter()

    func authorization(
        answering challenges: [AuthenticationChallenge], to request: NetworkRequest
    ) async -> String? {
        asked.increment()
        await gate.pass()
        return nil
    }
}
