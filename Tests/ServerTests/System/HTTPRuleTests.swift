import ServerTesting
import Testing

@Suite("Requests as HTTP/1.1 wants them", .timeLimit(.minutes(5)), .inLane())
struct HTTPRuleTests {
    /// A request, in which `{path}` stands for the path, and the statuses by which a server may answer it.
    private typealias RawCase = (name: String, request: String, statuses: [Int])

    private let shop = LaneShop.current

    /// A GET with fields besides Host.
    private static func get(_ fields: String) -> String { "GET {path} HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n\r\n" }

    /// A POST to a path that takes a body.
    private static func post(_ fields: String, _ body: String) -> String {
        "POST /v1/password-resets HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n\(body)"
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

        ("a method that is none", "FOOBAR {path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400, 405, 501]),
        ("a method in small letters", "get {path} HTTP/1.1\r\nHost: shop\r\n\r\n", [400, 405, 501]),
        ("TRACE", "TRACE {path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer secret\r\n\r\n", [404, 405]),
        ("CONNECT", "CONNECT shop:443 HTTP/1.1\r\nHost: shop:443\r\n\r\n", [400, 404, 405]),
        ("OPTIONS of the whole server", "OPTIONS * HTTP/1.1\r\nHost: shop\r\n\r\n", [204]),
        ("a long target", "GET /\(long) HTTP/1.1\r\nHost: shop\r\n\r\n", [414, 431]),
        ("another version", "GET {path} HTTP/9.9\r\nHost: shop\r\n\r\n", [400, 505]),
        ("version 1.2", "GET {path} HTTP/1.2\r\nHost: shop\r\n\r\n", [200, 400, 505]),
        ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]),
        ("no version", "GET {path}\r\n\r\n", [400]),
        ("two hosts of HTTP/1.0", "GET {path} HTTP/1.0\r\nHost: shop\r\nHost: other\r\n\r\n", [400]),
        ("a bare carriage return at a line's end", "GET {path} HTTP/1.1\rHost: shop\r\n\r\n", [400]),

        ("a long value", get("X-Test: \(long)"), [431]), ("a long name", get("\(long): a"), [431]),
        ("many fields", get((0..<1_200).map { "X-\($0): a" }.joined(separator: "\r\n")), [431]),
    ]

    /// The lines before Host of heads that are refused with 400.
    private static let refusedLines: [(String, String)] = [
        ("a long method", "\(long) {path} HTTP/1.1"), ("a GET of the whole server", "GET * HTTP/1.1"),
        ("a target without a slash", "GET shop HTTP/1.1"), ("a target with a fragment", "GET {path}#top HTTP/1.1"),
        ("an absolute target without a host", "GET http://{path} HTTP/1.1"), ("no target", "GET HTTP/1.1"),
        ("an absolute target with a user", "GET http://a:b@shop{path} HTTP/1.1"),
        ("CONNECT to a path", "CONNECT {path} HTTP/1.1"), ("a space in the target", "GET /a b HTTP/1.1"),
        ("a NUL in the target", "GET /a\0b HTTP/1.1"), ("letters beyond ASCII in the target", "GET /café HTTP/1.1"),
        ("a tab for a space", "GET\t{path} HTTP/1.1"), ("half a version", "GET {path} HTTP/1"),
        ("a version with zeros", "GET {path} HTTP/01.01"), ("a version in small letters", "GET {path} http/1.1"),
        ("a version with a space", "GET {path} HTTP/ 1.1"),
        ("white space before the fields", "GET {path} HTTP/1.1\r\n "),
    ]

    /// All fields of heads that are refused with 400.
    private static let refusedHosts: [(String, String)] = [
        ("no host", ""), ("no host, but other fields", "Accept: */*\r\n"), ("an empty host", "Host: \r\n"),
        ("an empty host without a space", "Host:\r\n"),
        ("two hosts", "Host: shop\r\nHost: other\r\n"), ("one host twice", "Host: shop\r\nhost: shop\r\n"),
        ("a list of hosts", "Host: shop, other\r\n"), ("a host with a user", "Host: user@shop\r\n"),
        ("a host with a path", "Host: shop/path\r\n"), ("a host with a space", "Host: shop other\r\n"),
        ("a host with a port that is none", "Host: shop:99999\r\n"), ("an escaped host", "Host: %zz\r\n"),
        ("a host with a zone", "Host: [fe80::1%25eth0]\r\n"),
        ("a host with letters as its port", "Host: shop:http\r\n"),
    ]

    /// The fields after Host of heads that are refused with 400.
    private static let refusedFields: [(String, String)] = [
        ("a bare carriage return in a value", "X-Test: a\rb"), ("a folded value", "X-Test: a\r\n b"),
        ("a space before the colon", "X-Test : a"), ("a name with a bracket", "X[Test: a"), ("no name", ": a"),
        ("no colon", "X-Test"), ("a NUL in a value", "X-Test: a\0b"), ("a bell in a value", "X-Test: a\u{7}b"),
    ]

    private static func refused(_ parts: [(String, String)], _ request: (String) -> String) -> [RawCase] {
        parts.map { (name: $0.0, request: request($0.1), statuses: [400]) }
    }

    private static let chunked = "Transfer-Encoding: chunked"
    private static let body = #"{"email":"a@b.com"}"#

    /// Bodies by RFC 9112, at a path that answers 202.
    private static let bodies: [RawCase] = [
        ("a length", post("Content-Length: 19", body), [202]),
        ("chunks", post(chunked, "13\r\n\(body)\r\n0\r\n\r\n"), [202]),
        ("chunks with an extension", post(chunked, "13;a=b\r\n\(body)\r\n0\r\n\r\n"), [202]),
        ("chunks with a trailer", post(chunked, "13\r\n\(body)\r\n0\r\nA: b\r\n\r\n"), [202]),
        ("a coding in capitals", post("Transfer-Encoding: Chunked", "13\r\n\(body)\r\n0\r\n\r\n"), [202, 400]),
        ("a length that is no number", post("Content-Length: abc", ""), [400]),
        ("a length with a sign", post("Content-Length: +19", body), [400]),
        ("a length below zero", post("Content-Length: -19", ""), [400]),
        ("a length beyond 64 bits", post("Content-Length: 99999999999999999999", ""), [400]),
        ("a length of 64 bits", post("Content-Length: 9223372036854775808", ""), [400]),
        ("no value of the length", post("Content-Length: ", ""), [400]),
        ("two lengths", post("Content-Length: 19\r\nContent-Length: 5", body), [400]),
        ("a list of lengths", post("Content-Length: 19, 5", body), [400]),
        ("a length and chunks", post("Content-Length: 19\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), [400]),
        ("an empty coding", post("Transfer-Encoding: \r\nContent-Length: 19", body), [400]),
        ("an unknown coding", post("Transfer-Encoding: gzip", ""), [400, 501]),
        ("another coding last", post("Transfer-Encoding: chunked, gzip", "0\r\n\r\n"), [400]),
        ("two codings in one field", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), [400]),
        ("chunked last of two fields", post("Transfer-Encoding: identity\r\n" + chunked, "0\r\n\r\n"), [400]),
        ("two codings", post(chunked + "\r\nTransfer-Encoding: identity", "0\r\n\r\n"), [400]),
        ("a size with a prefix", post(chunked, "0x13\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("a size below zero", post(chunked, "-1\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("a size that is too large", post(chunked, "FFFFFFFFFFFFFFFF0\r\na\r\n0\r\n\r\n"), [400]),
        ("a chunk that is too long", post(chunked, "5\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("a long extension", post(chunked, "13;\(long.prefix(65_536))\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("chunks of HTTP/1.0", post(chunked, "0\r\n\r\n").replacing("HTTP/1.1", with: "HTTP/1.0"), [400]),
    ]

    /// The lane's, the framework's, and a page.
    static let paths = ["/v1/seasons", "/v1/shop", "/"]

    @Test(arguments: paths)
    func `Heads are accepted and refused as RFC 9112 requires, on the lane and off it`(path: String) async throws {
        try await shop.prepare("/v1/seasons")
        let refused =
            Self.refused(Self.refusedLines) { "\($0)\r\nHost: shop\r\n\r\n" }
            + Self.refused(Self.refusedHosts) { "GET {path} HTTP/1.1\r\n\($0)\r\n" }
            + Self.refused(Self.refusedFields, Self.get)
        for test in Self.heads + refused {
            let answer = try await answer(to: test, path: path)
            #expect(test.statuses.contains(answer?.status ?? 0), "\(test.name) on \(path): \(answer?.head ?? [])")
            // Every refusal explains itself.
            guard let answer, answer.status >= 400 else { continue }
            #expect(answer.header("Date") != nil && answer.header("Request-Id") != nil, "\(test.name)")
            if !test.request.hasPrefix("TRACE") {
                #expect(answer.header("Content-Type") == Problem.mediaType, "\(test.name)")
                #expect(answer.body.contains("\"code\":"), "\(test.name)")
            }
            if Self.refusedHosts.contains(where: { $0.0 == test.name }) {
                #expect(answer.header("Connection") == "close", "\(test.name)")
                #expect(answer.body.contains("invalid_request"), "\(test.name)")
            }
        }
    }

    @Test func `Bodies are framed as RFC 9112 requires`() async throws {
        // Each asks for a mail to another address: one address gets three.
        for (test, letter) in zip(Self.bodies, "abcdefghijklmnopqrstuvwxyz") {
            let answer = try await answer(to: test, path: "", recipient: letter)
            #expect(test.statuses.contains(answer?.status ?? 0), "\(test.name): \(answer?.head ?? [])")
        }
    }

    private func answer(to test: RawCase, path: String, recipient: Character = "a") async throws -> WireAnswer? {
        let connection = try shop.connect()
        let request = test.request.replacing("{path}", with: path).replacing("a@b.com", with: "\(recipient)@b.com")
        // Some requests are refused before they are whole.
        try? connection.connection.send(request)
        return await connection.next()
    }

    @Test(arguments: [
        "G", "GET ", "GET /health", "GET /health/live HTTP", "GET /health/live HTTP/1.1\r\nHost: shop\r\n\r",
    ])
    func `A request that is not whole gets no answer`(part: String) async throws {
        let connection = try RawConnection(port: shop.port)
        try connection.send(part)
        #expect(await !connection.hasAnswer(within: 200))
    }

    @Test(arguments: ["GET /v1/seasons HTTP/1.1\r\n\r\n", "NO HTTP\r\n\r\n"])
    func `A malformed request after a page is refused, and nothing more is answered`(bad: String) async throws {
        try await shop.prepare("/v1/seasons")
        let good = LaneClient.request("/v1/seasons")
        let connection = try shop.connect()
        #expect(try await connection.answer(to: good + bad + good + good)?.status == 200)
        let refusal = await connection.next()
        #expect(refusal?.status == 400 && refusal?.header("Connection") == "close")
        #expect(await connection.hasEnded())
    }

    @Test(arguments: ["/v1/%73hop", "/%76%31/seasons", "/v1/%73easons"])
    func `Letters of a path may be percent-encoded`(path: String) async throws {
        try await shop.prepare("/v1/seasons")
        #expect(try await shop.connect().get(path)?.status == 200)
        // An escaped slash separates nothing.
        #expect(try await shop.connect().get("/v1%2Fshop")?.status == 404)
    }

    @Test(arguments: ["/v1/seasons", "/v1/shop"])
    func `A read with If-Match is answered only for the version that it names`(path: String) async throws {
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
