import ServerTesting
import Synchronization
import Testing

@Suite("Requests as HTTP/1.1 wants them", .timeLimit(.minutes(5)))
struct HTTPRuleTests {
    /// A request, in which `{path}` stands for the path, and the statuses by which a server may answer it.
    private typealias RawCase = (name: String, request: String, statuses: [Int])

    /// A GET with fields besides Host.
    private static func get(_ fields: String) -> String { "GET {path} HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n\r\n" }

    /// A POST to a path that takes a body.
    private static func post(_ fields: String, _ body: String) -> String {
        "POST /v1/password-resets HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n\r\n\(body)"
    }

    private static let long = String(repeating: "a", count: 100_000)

    /// Heads by RFC 9110 and RFC 9112. A status of 200 stands for the answer of the path.
    private static let heads: [RawCase] = [
        ("a plain request", get("Accept: */*"), [200]),
        ("a field with a tab, and one without a value", "GET {path} HTTP/1.1\r\nhoSt:\tshop\r\nempty:\r\n\r\n", [200]),
        ("line breaks before the request", "\r\n\r\nGET {path} HTTP/1.1\r\nHost: shop\r\n\r\n", [200]),
        ("an absolute target", "GET http://shop{path} HTTP/1.1\r\nHost: shop\r\n\r\n", [200]),
        ("an absolute target of https", "GET https://shop{path} HTTP/1.1\r\nHost: shop\r\n\r\n", [200]),
        ("a host with a port", "GET {path} HTTP/1.1\r\nHost: shop.example:8080\r\n\r\n", [200]),
        ("an IPv6 host with a port", "GET {path} HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", [200]),
        ("HTTP/1.0 without a host", "GET {path} HTTP/1.0\r\n\r\n", [200]),

        ("no host", "GET {path} HTTP/1.1\r\n\r\n", [400]),
        ("no host, but other fields", "GET {path} HTTP/1.1\r\nAccept: */*\r\n\r\n", [400]),
        ("an empty host", "GET {path} HTTP/1.1\r\nHost: \r\n\r\n", [400]),
        ("two hosts", "GET {path} HTTP/1.1\r\nHost: shop\r\nHost: other\r\n\r\n", [400]),
        ("one host twice", "GET {path} HTTP/1.1\r\nHost: shop\r\nhost: shop\r\n\r\n", [400]),
        ("two hosts of HTTP/1.0", "GET {path} HTTP/1.0\r\nHost: shop\r\nHost: other\r\n\r\n", [400]),
        ("a list of hosts", "GET {path} HTTP/1.1\r\nHost: shop, other\r\n\r\n", [400]),
        ("a host with a user", "GET {path} HTTP/1.1\r\nHost: user@shop\r\n\r\n", [400]),
        ("a host with a path", "GET {path} HTTP/1.1\r\nHost: shop/path\r\n\r\n", [400]),
        ("a host with a space", "GET {path} HTTP/1.1\r\nHost: shop other\r\n\r\n", [400]),
        ("a host with a port that is none", "GET {path} HTTP/1.1\r\nHost: shop:99999\r\n\r\n", [400]),
        ("an escaped host", "GET {path} HTTP/1.1\r\nHost: %zz\r\n\r\n", [400]),
        ("a host with a zone", "GET {path} HTTP/1.1\r\nHost: [fe80::1%25eth0]\r\n\r\n", [400]),
        ("a host with letters as its port", "GET {path} HTTP/1.1\r\nHost: shop:http\r\n\r\n", [400]),

        ("a method that is none", "FOOBAR {path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400, 405, 501]),
        ("a method in small letters", "get {path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400, 405, 501]),
        ("a long method", "\(long) {path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("TRACE", "TRACE {path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer secret\r\n\r\n", [404, 405]),
        ("CONNECT", "CONNECT shop:443 HTTP/1.1\r\nHost: shop:443\r\n\r\n", [400, 404, 405]),
        ("a GET of the whole server", "GET * HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("OPTIONS of the whole server", "OPTIONS * HTTP/1.1\r\nHost: shop\r\n\r\n", [204]),
        ("a target without a slash", "GET shop HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("a target with a fragment", "GET {path}#top HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("an absolute target without a host", "GET http://{path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("an absolute target with a user", "GET http://a:b@shop{path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("CONNECT to a path", "CONNECT {path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("no target", "GET HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("a space in the target", "GET /a b HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("a NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("letters beyond ASCII in the target", "GET /café HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("a tab for a space", "GET\t{path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("a long target", "GET /\(long) HTTP/1.1\r\nHost: shop\r\n\r\n", [414, 431]),

        ("no version", "GET {path}\r\n\r\n", [400]),
        ("another version", "GET {path} HTTP/9.9\r\nHost: shop\r\n\r\n", [400, 505]),
        ("version 1.2", "GET {path} HTTP/1.2\r\nHost: shop\r\n\r\n", [200, 400, 505]),
        ("half a version", "GET {path} HTTP/1\r\nHost: shop\r\n\r\n", [400]),
        ("a version with zeros", "GET {path} HTTP/01.01\r\nHost: shop\r\n\r\n", [400]),
        ("a version in small letters", "GET {path} http/1.1\r\nHost: shop\r\n\r\n", [400]),
        ("a version with a space", "GET {path} HTTP/ 1.1\r\nHost: shop\r\n\r\n", [400]),
        ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]),

        ("a bare carriage return at a line's end", "GET {path} HTTP/1.1\rHost: shop\r\n\r\n", [400]),
        ("a bare carriage return in a value", get("X-Test: a\rb"), [400]),
        ("a folded value", get("X-Test: a\r\n b"), [400]),
        ("a space before the colon", get("X-Test : a"), [400]),
        ("a name with a bracket", get("X[Test: a"), [400]),
        ("no name", get(": a"), [400]),
        ("no colon", get("X-Test"), [400]),
        ("a NUL in a value", get("X-Test: a\0b"), [400]),
        ("a bell in a value", get("X-Test: a\u{7}b"), [400]),
        ("white space before the fields", "GET {path} HTTP/1.1\r\n \r\nHost: shop\r\n\r\n", [400]),
        ("a long value", get("X-Test: \(long)"), [431]),
        ("a long name", get("\(long): a"), [431]),
        ("many fields", get((0..<1_200).map { "X-\($0): a" }.joined(separator: "\r\n")), [431]),
    ]

    private static let json = "Content-Type: application/json\r\n"
    private static let chunked = json + "Transfer-Encoding: chunked"
    private static let body = #"{"email":"a@b.com"}"#

    /// Bodies by RFC 9112, at a path that answers 202.
    private static let bodies: [RawCase] = [
        ("a length", post(json + "Content-Length: 19", body), [202]),
        ("chunks", post(chunked, "13\r\n\(body)\r\n0\r\n\r\n"), [202]),
        ("chunks with an extension", post(chunked, "13;a=b\r\n\(body)\r\n0\r\n\r\n"), [202]),
        ("chunks with a trailer", post(chunked, "13\r\n\(body)\r\n0\r\nA: b\r\n\r\n"), [202]),
        ("a coding in capitals", post(json + "Transfer-Encoding: Chunked", "13\r\n\(body)\r\n0\r\n\r\n"), [202, 400]),
        ("a length that is no number", post(json + "Content-Length: abc", ""), [400]),
        ("a length with a sign", post(json + "Content-Length: +19", body), [400]),
        ("a length below zero", post(json + "Content-Length: -19", ""), [400]),
        ("a length beyond 64 bits", post(json + "Content-Length: 99999999999999999999", ""), [400]),
        ("a length of 64 bits", post(json + "Content-Length: 9223372036854775808", ""), [400]),
        ("no value of the length", post(json + "Content-Length: ", ""), [400]),
        ("two lengths", post(json + "Content-Length: 19\r\nContent-Length: 5", body), [400]),
        ("a list of lengths", post(json + "Content-Length: 19, 5", body), [400]),
        ("a length and chunks", post(json + "Content-Length: 19\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), [400]),
        ("an empty coding", post(json + "Transfer-Encoding: \r\nContent-Length: 19", body), [400]),
        ("an unknown coding", post(json + "Transfer-Encoding: gzip", ""), [400, 501]),
        ("another coding last", post(json + "Transfer-Encoding: chunked, gzip", "0\r\n\r\n"), [400]),
        ("two codings in one field", post(json + "Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), [400]),
        ("chunked last of two fields", post("Transfer-Encoding: identity\r\n" + chunked, "0\r\n\r\n"), [400]),
        ("two codings", post(chunked + "\r\nTransfer-Encoding: identity", "0\r\n\r\n"), [400]),
        ("a size with a prefix", post(chunked, "0x13\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("a size below zero", post(chunked, "-1\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("a size that is too large", post(chunked, "FFFFFFFFFFFFFFFF0\r\na\r\n0\r\n\r\n"), [400]),
        ("a chunk that is too long", post(chunked, "5\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("a long extension", post(chunked, "13;\(long.prefix(65_536))\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("chunks of HTTP/1.0", "POST /v1/password-resets HTTP/1.0\r\nHost: shop\r\n\(chunked)\r\n\r\n0\r\n\r\n", [400]),
    ]

    /// The lane's, the framework's, and a page.
    static let paths = ["/v1/seasons", "/v1/shop", "/"]

    @Test(arguments: paths)
    func `Heads are accepted and refused as RFC 9112 wants, on each way into the server`(path: String) async throws {
        try await LaneShop.serve { shop in
            try await shop.prepare("/v1/seasons")
            for test in Self.heads {
                let answer = try await Self.answer(to: test, path: path, port: shop.port)
                #expect(test.statuses.contains(answer?.status ?? 0), "\(test.name) on \(path): \(answer?.head ?? [])")
                // Every refusal explains itself.
                guard let answer, answer.status >= 400 else { continue }
                #expect(answer.header("Date") != nil && answer.header("Request-Id") != nil, "\(test.name)")
                if !test.request.hasPrefix("TRACE") {
                    #expect(answer.header("Content-Type") == Problem.mediaType, "\(test.name)")
                    #expect(answer.body.contains("\"code\":"), "\(test.name)")
                }
            }
        }
    }

    @Test func `Bodies are framed as RFC 9112 wants`() async throws {
        try await LaneShop.serve { shop in
            // Each asks for a mail to another address: one address gets three.
            for (test, letter) in zip(Self.bodies, "abcdefghijklmnopqrstuvwxyz") {
                let answer = try await Self.answer(to: test, path: "", recipient: letter, port: shop.port)
                #expect(test.statuses.contains(answer?.status ?? 0), "\(test.name): \(answer?.head ?? [])")
            }
        }
    }

    private static func answer(
        to test: RawCase, path: String, recipient: Character = "a", port: Int
    ) async throws -> WireAnswer? {
        let connection = LaneClient(try RawConnection(port: port))
        let request = test.request.replacing("{path}", with: path).replacing("a@b.com", with: "\(recipient)@b.com")
        // Some requests are refused before they are whole.
        try? connection.connection.send(request)
        return await connection.next()
    }

    @Test(arguments: [
        "G", "GET ", "GET /health", "GET /health/live HTTP", "GET /health/live HTTP/1.1\r\nHost: shop\r\n\r",
    ])
    func `A request that is not whole gets no answer`(part: String) async throws {
        try await LaneShop.serve { shop in
            let connection = try RawConnection(port: shop.port)
            try connection.send(part)
            #expect(await !connection.hasAnswer(within: 200))
        }
    }

    @Test func `After a malformed request nothing more is answered`() async throws {
        try await LaneShop.serve { shop in
            try await shop.prepare("/v1/seasons")
            let good = LaneClient.request("/v1/seasons")
            let connection = try shop.connect()
            try connection.connection.send(good + "GET /v1/seasons HTTP/1.1\r\n\r\n" + good + good)
            #expect(await connection.next()?.status == 200)
            let refusal = await connection.next()
            #expect(refusal?.status == 400 && refusal?.header("Connection") == "close")
            #expect(await connection.hasEnded())
        }
    }

    @Test(arguments: ["/v1/%73hop", "/%76%31/seasons", "/v1/%73easons"])
    func `A letter of a path may be escaped`(path: String) async throws {
        try await LaneShop.serve { shop in
            try await shop.prepare("/v1/seasons")
            #expect(try await shop.connect().get(path)?.status == 200)
            // An escaped slash separates nothing.
            #expect(try await shop.connect().get("/v1%2Fshop")?.status == 404)
        }
    }

    @Test(arguments: ["/v1/seasons", "/v1/shop"])
    func `A read with If-Match is answered for the version that it names alone`(path: String) async throws {
        try await LaneShop.serve { shop in
            try await shop.prepare("/v1/seasons")
            let connection = try shop.connect()
            let tag = try await connection.get(path)?.header("ETag")
            #expect(try await connection.get(path, "If-Match: *")?.status == 200)
            guard let tag else { return }
            #expect(try await connection.get(path, "If-Match: \"other\", \(tag)")?.status == 200)
            #expect(try await connection.get(path, "If-Match: \"other\"")?.status == 412)
            #expect(try await connection.get(path, "If-Match: W/\(tag)")?.status == 412)
        }
    }
}
