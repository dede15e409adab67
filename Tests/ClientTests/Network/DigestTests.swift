import Foundation
import PouchAsyncHTTPClient
import PouchNetwork
import Testing

/// The examples are those of RFC 7616, section 3.9.1.
@Suite(.timeLimit(.minutes(1)))
struct DigestTests {
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    private let url: URL
    private let handler: DigestAuthentication

    init() throws {
        url = try #require(URL(string: "http://www.example.org/dir/index.html"))
        handler = DigestAuthentication(
            user: "Mufasa", password: "Circle of Life", server: url,
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

    private func fields(_ authorization: String?) throws -> [String: String] {
        let authorization = try #require(authorization)
        return try #require(AuthenticationChallenge.all(in: ["WWW-Authenticate": authorization]).first).parameters
    }

    @Test(arguments: [
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ])
    func `the standard's examples come out as it says`(algorithm: String, response: String) async throws {
        let answer = await handler.authorization(answering: [challenge(algorithm)], to: NetworkRequest(url: url))
        let fields = try fields(answer)
        #expect(fields["response"] == response)
        #expect(fields["username"] == "Mufasa")
        #expect(fields["uri"] == "/dir/index.html")
        #expect(fields["qop"] == "auth" && fields["nc"] == "00000001")
        #expect(fields["opaque"] == Self.opaque && fields["algorithm"] == algorithm)
    }

    @Test func `the nonce is counted, and its successor begins anew`() async throws {
        let request = NetworkRequest(url: url)
        #expect(await handler.authorization(for: request) == nil)
        _ = await handler.authorization(answering: [challenge("SHA-256")], to: request)
        #expect(try fields(await handler.authorization(for: request))["nc"] == "00000002")
        #expect(try fields(await handler.authorization(for: request))["nc"] == "00000003")
        await handler.received(["Authentication-Info": #"qop=auth, nextnonce="next""#], for: request)
        let next = try fields(await handler.authorization(for: request))
        #expect(next["nonce"] == "next" && next["nc"] == "00000001")
    }

    @Test func `a stale nonce is replaced, a wrong password is not tried again`() async throws {
        var request = NetworkRequest(url: url)
        request.headers["Authorization"] = await handler.authorization(
            answering: [challenge("SHA-256")], to: request)
        let fresh = await handler.authorization(
            answering: [challenge("SHA-256", ["stale": "true", "nonce": "fresh"])], to: request)
        #expect(try fields(fresh)["nonce"] == "fresh")
        #expect(await handler.authorization(answering: [challenge("SHA-256")], to: request) == nil)
        #expect(await handler.authorization(for: request) == nil)
    }

    @Test func `of several challenges the first that can be answered is`() async throws {
        let answer = await handler.authorization(
            answering: [
                .init(scheme: "basic"), challenge("SHA-512-256"), challenge("SHA-256"), challenge("MD5"),
            ], to: NetworkRequest(url: url))
        #expect(try fields(answer)["algorithm"] == "SHA-256")
    }

    @Test func `a session's secret is made of the first nonces and stays when the server gives another`() async throws {
        let request = NetworkRequest(url: url)
        let first = try fields(
            await handler.authorization(answering: [challenge("MD5-sess")], to: request))
        #expect(first["algorithm"] == "MD5-sess")
        // Reckoned apart, with md5sum.
        #expect(first["response"] == "e783283f46242139c486a698fec7211d")
        await handler.received(["Authentication-Info": #"nextnonce="next""#], for: request)
        let next = try fields(await handler.authorization(for: request))
        #expect(next["response"] == "024890dca8a922796bd6a8324bc748c2")
        let plain = try fields(await handler.authorization(answering: [challenge("MD5")], to: request))
        #expect(plain["response"] != first["response"])
    }

    @Test func `where the body must be proven it is, unless it is a file`() async throws {
        let demand = challenge("MD5", ["qop": "auth-int"])
        let one = try fields(
            await handler.authorization(
                answering: [demand], to: NetworkRequest(url: url, method: "POST", body: Data("one".utf8))))
        let two = try fields(
            await handler.authorization(
                answering: [demand], to: NetworkRequest(url: url, method: "POST", body: Data("two".utf8))))
        #expect(one["qop"] == "auth-int" && one["response"] != two["response"])
        let upload = NetworkRequest(url: url, method: "POST", upload: FileUpload(file: URL(filePath: "/x")))
        #expect(await handler.authorization(answering: [demand], to: upload) == nil)
    }

    @Test func `names are sent so that any can be`() async throws {
        let quoted = DigestAuthentication(user: #"a"b\c"#, password: "p", server: url)
        let answer = await quoted.authorization(answering: [challenge("MD5")], to: NetworkRequest(url: url))
        #expect(answer?.contains(#"username="a\"b\\c""#) == true)
        let foreign = DigestAuthentication(user: "Jäsøn Doe", password: "p", server: url)
        let encoded = await foreign.authorization(answering: [challenge("MD5")], to: NetworkRequest(url: url))
        #expect(encoded?.contains("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe") == true)
        let hashed = await handler.authorization(
            answering: [challenge("MD5", ["userhash": "true"])], to: NetworkRequest(url: url))
        #expect(hashed?.contains("userhash=true") == true && hashed?.contains("Mufasa") == false)
    }

    @Test func `another server gets no proof, and nothing shows the password`() async throws {
        let other = NetworkRequest(url: try #require(URL(string: "http://example.com/")))
        #expect(await handler.authorization(answering: [challenge("MD5")], to: other) == nil)
        var dumped = ""
        dump(handler, to: &dumped)
        #expect(!dumped.contains("Circle"))
    }

    @Test func `over AsyncHTTPClient a challenge is answered, and the next request brings its proof along`()
        async throws
    {
        let server = try LoopbackServer { head in
            head.contains("Authorization: Digest username=\"Mufasa\"")
                ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                : "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"n\", qop=\"auth\"\r\n"
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n"
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
