import ClientTesting
import Foundation
import Loopback
import PouchAsyncHTTPClient
import PouchNetwork
import PouchTesting
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AuthenticationTests {
    private static let ok = httpAnswer(body: "ok")

    private let refusing = RecordingTransport { _ in .init(status: 401, headers: ["WWW-Authenticate": "Basic"]) }

    private static func challenge(_ text: String) -> String {
        httpAnswer("401 Unauthorized", "WWW-Authenticate: \(text)", body: "no")
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
    func `challenges are parsed, one or several in a field`(field: String, challenges: [AuthenticationChallenge]) {
        #expect(AuthenticationChallenge.all(in: ["WWW-Authenticate": field]) == challenges)
    }

    @Test func `challenges in several fields are returned in order`() {
        let headers: HeaderFields = ["WWW-Authenticate": "One", "www-authenticate": "Two, Three a=b"]
        #expect(AuthenticationChallenge.all(in: headers).map(\.scheme) == ["one", "two", "three"])
    }

    @Test func `random bytes in a challenge neither hang nor crash the parser`() {
        var generator = SplitMix64(seed: 1)
        let alphabet = Array(#"aB=",\ /"#)
        for _ in 0..<5_000 {
            let text = String((0..<20).map { _ in alphabet.randomElement(using: &generator) ?? "x" })
            _ = AuthenticationChallenge.all(in: ["WWW-Authenticate": text])
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a Basic challenge is answered once, then the password is sent unasked`(kind: SomeTransport) async throws {
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
        #expect(!dumped(handler).contains("w6RkYTpww6RzczpA"))
    }

    @Test(arguments: SomeTransport.allCases)
    func `a wrong password is tried once, and the 401 is the response`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in Self.challenge(#"Basic realm="x""#) }
        let session = NetworkSession(
            try kind.make(), authentication: BasicAuthentication(user: "a", password: "b", server: try server.url("/")))
        let payload = await NetworkOperation(NetworkRequest(url: try server.url("/")), in: session).run()
        #expect(payload.response?.status == 401)
        #expect(payload.data == Data("no".utf8))
        #expect(server.heads.count == 2)
    }

    @Test func `a name or password that Basic cannot encode makes no handler`() throws {
        let url = try #require(URL(string: "https://127.0.0.1/"))
        #expect(BasicAuthentication(user: "a:b", password: "c", server: url) == nil)
        #expect(BasicAuthentication(user: "a", password: "b\r\nX: y", server: url) == nil)
    }

    @Test func `a password goes to no other origin, neither after a challenge nor after a redirect`() async throws {
        let other = try LoopbackServer { _ in Self.challenge(#"Basic realm="x""#) }
        let target = try other.url("/").absoluteString
        let server = try LoopbackServer { head in
            guard head.contains("Authorization") else { return Self.challenge(#"Basic realm="x""#) }
            return httpAnswer("302 Found", "Location: \(target)")
        }
        let handler = BasicAuthentication(user: "a", password: "b", server: try server.url("/"))
        let session = NetworkSession(URLSessionTransport(), authentication: handler)
        for url in [try server.url("/"), try other.url("/direct")] {
            #expect(await NetworkOperation(NetworkRequest(url: url), in: session).run().response?.status == 401)
        }
        #expect(other.heads.count == 2)
        #expect(!other.heads.joined().contains("Authorization"))
    }

    @Test func `a request keeps its own credentials`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let handler = BasicAuthentication(user: "a", password: "b", server: url)
        let request = NetworkRequest(url: url, headers: ["Authorization": "Bearer x"])
        _ = await NetworkOperation(request, in: NetworkSession(refusing, authentication: handler)).run()
        #expect(refusing.requests == [request])
    }

    @Test func `a handler gets a challenge once, and cancelling while it works ends the operation`() async throws {
        let (handler, url) = (SlowHandler(), try #require(URL(string: "http://127.0.0.1/")))
        let session = NetworkSession(refusing, authentication: handler)
        let operation = NetworkOperation(NetworkRequest(url: url), in: session)
        async let payload = operation.run()
        await handler.gate.held(1)
        operation.cancel()
        #expect(await payload.error == .cancelled)
        handler.gate.open()
        #expect(await operation.run().error == .cancelled)
        #expect(handler.challenges.value == 1)
    }
}

/// Answers a challenge once the gate is open.
private final class SlowHandler: AuthenticationHandler {
    let gate = Gate()
    let challenges = Counter()

    func authorization(answering challenges: [AuthenticationChallenge], to request: NetworkRequest) async -> String? {
        self.challenges.increment()
        await gate.pass()
        return nil
    }
}

/// Uses the examples of RFC 7616, section 3.9.1.
@Suite(.timeLimit(.minutes(5)))
struct DigestTests {
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    private let request: NetworkRequest
    private let handler: DigestAuthentication

    init() throws {
        request = NetworkRequest(url: try #require(URL(string: "http://www.example.org/dir/index.html")))
        handler = DigestAuthentication(
            user: "Mufasa", password: "Circle of Life", server: request.url,
            makeNonce: { "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" })
    }

    private func challenge(_ algorithm: String, _ more: [String: String] = [:]) -> AuthenticationChallenge {
        AuthenticationChallenge(
            scheme: "digest",
            parameters: [
                "realm": "http-auth@example.org", "qop": "auth, auth-int", "algorithm": algorithm,
                "nonce": Self.nonce, "opaque": Self.opaque,
            ].merging(more) { $1 })
    }

    private func proof(
        for challenges: AuthenticationChallenge..., of request: NetworkRequest? = nil
    ) async throws -> [String: String] {
        try fields(await handler.authorization(answering: challenges, to: request ?? self.request))
    }

    private func fields(_ authorization: String?) throws -> [String: String] {
        let authorization = try #require(authorization)
        return try #require(AuthenticationChallenge.all(in: ["WWW-Authenticate": authorization]).first).parameters
    }

    @Test(arguments: [
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ])
    func `the examples of the RFC give its results`(algorithm: String, response: String) async throws {
        let fields = try await proof(for: challenge(algorithm))
        #expect(fields["response"] == response)
        #expect(fields["username"] == "Mufasa" && fields["uri"] == "/dir/index.html")
        #expect(fields["qop"] == "auth" && fields["nc"] == "00000001")
        #expect(fields["opaque"] == Self.opaque && fields["algorithm"] == algorithm)
    }

    @Test func `the uses of a nonce are counted, and the next nonce starts at one`() async throws {
        #expect(await handler.authorization(for: request) == nil)
        _ = await handler.authorization(answering: [challenge("SHA-256")], to: request)
        #expect(try fields(await handler.authorization(for: request))["nc"] == "00000002")
        #expect(try fields(await handler.authorization(for: request))["nc"] == "00000003")
        await handler.received(["Authentication-Info": #"qop=auth, nextnonce="next""#], for: request)
        let next = try fields(await handler.authorization(for: request))
        #expect(next["nonce"] == "next" && next["nc"] == "00000001")
    }

    @Test func `a stale nonce is replaced, and a wrong password is not tried again`() async throws {
        var request = request
        request.headers["Authorization"] = await handler.authorization(answering: [challenge("SHA-256")], to: request)
        let stale = challenge("SHA-256", ["stale": "true", "nonce": "fresh"])
        #expect(try await proof(for: stale, of: request)["nonce"] == "fresh")
        #expect(await handler.authorization(answering: [challenge("SHA-256")], to: request) == nil)
        #expect(await handler.authorization(for: request) == nil)
    }

    @Test func `the first supported challenge of several is answered`() async throws {
        let basic = AuthenticationChallenge(scheme: "basic")
        let proof = try await proof(for: basic, challenge("SHA-512-256"), challenge("SHA-256"), challenge("MD5"))
        #expect(proof["algorithm"] == "SHA-256")
    }

    @Test func `with -sess the secret uses the first nonces and stays when the server sends another`() async throws {
        let first = try await proof(for: challenge("MD5-sess"))
        #expect(first["algorithm"] == "MD5-sess")
        // Computed with md5sum.
        #expect(first["response"] == "e783283f46242139c486a698fec7211d")
        await handler.received(["Authentication-Info": #"nextnonce="next""#], for: request)
        #expect(try fields(await handler.authorization(for: request))["response"] == "024890dca8a922796bd6a8324bc748c2")
        #expect(try await proof(for: challenge("MD5"))["response"] != first["response"])
    }

    @Test func `auth-int includes the body in the proof, unless the body is a file`() async throws {
        let demand = challenge("MD5", ["qop": "auth-int"])
        func post(_ text: String) -> NetworkRequest {
            NetworkRequest(url: request.url, method: "POST", body: Data(text.utf8))
        }
        let (one, two) = (try await proof(for: demand, of: post("one")), try await proof(for: demand, of: post("two")))
        #expect(one["qop"] == "auth-int" && one["response"] != two["response"])
        let upload = NetworkRequest(url: request.url, method: "POST", upload: FileUpload(file: URL(filePath: "/x")))
        #expect(await handler.authorization(answering: [demand], to: upload) == nil)
    }

    @Test func `user names are sent quoted, encoded or hashed`() async throws {
        for (user, field) in [
            (#"a"b\c"#, #"username="a\"b\\c""#), ("Jäsøn Doe", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"),
        ] {
            let handler = DigestAuthentication(user: user, password: "p", server: request.url)
            #expect(await handler.authorization(answering: [challenge("MD5")], to: request)?.contains(field) == true)
        }
        let hashed = await handler.authorization(answering: [challenge("MD5", ["userhash": "true"])], to: request)
        #expect(hashed?.contains("userhash=true") == true && hashed?.contains("Mufasa") == false)
    }

    @Test func `another server gets no proof, and a dump does not show the password`() async throws {
        let other = NetworkRequest(url: try #require(URL(string: "http://example.com/")))
        #expect(await handler.authorization(answering: [challenge("MD5")], to: other) == nil)
        #expect(!dumped(handler).contains("Circle"))
    }

    @Test func `over AsyncHTTPClient a challenge is answered, and the next proof is sent unasked`() async throws {
        let server = try LoopbackServer { head in
            head.contains("Authorization: Digest username=\"Mufasa\"")
                ? httpAnswer(body: "ok")
                : httpAnswer("401 Unauthorized", "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", qop=\"auth\"")
        }
        let handler = DigestAuthentication(user: "Mufasa", password: "p", server: try server.url("/"))
        let session = NetworkSession(try AsyncHTTPClientTransport(), authentication: handler)
        for _ in 0..<2 {
            let payload = await NetworkOperation(NetworkRequest(url: try server.url("/a?b=c")), in: session).run()
            #expect(payload.response?.status == 200)
        }
        #expect(server.heads.count == 3)
        #expect(server.heads.last?.contains("nc=00000002") == true)
        #expect(server.heads.last?.contains("uri=\"/a?b=c\"") == true)
    }
}
