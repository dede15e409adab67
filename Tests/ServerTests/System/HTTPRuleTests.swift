import Foundation
import PouchContract
import PouchServer
import PouchWire
import ServerTesting
import Testing

/// A request as bytes, and the statuses by which a server may answer it.
struct RawCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// In which `{path}` stands for the path, and a line ends with \r\n.
    let request: String
    let statuses: [Int]
    var testDescription: String { name }

    init(_ name: String, _ request: String, _ statuses: Int...) {
        (self.name, self.request, self.statuses) = (name, request, statuses)
    }

    /// A GET with fields besides Host.
    static func get(_ name: String, _ fields: String, _ statuses: Int...) -> RawCase {
        RawCase(name: name, request: "GET {path} HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n\r\n", statuses: statuses)
    }

    /// A POST to a path that takes a body.
    static func post(_ name: String, _ fields: String, _ body: String, _ statuses: Int...) -> RawCase {
        RawCase(
            name: name,
            request: "POST /v1/password-resets HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n\r\n\(body)", statuses: statuses)
    }

    private init(name: String, request: String, statuses: [Int]) {
        (self.name, self.request, self.statuses) = (name, request, statuses)
    }

    private static let long = String(repeating: "a", count: 100_000)

    /// Heads by RFC 9110 and RFC 9112. A status of 200 stands for the answer of the path.
    static let heads: [RawCase] = [
        .get("a plain request", "Accept: */*", 200),
        RawCase(
            "a field with a tab, and one without a value", "GET {path} HTTP/1.1\r\nhoSt:\tshop\r\nempty:\r\n\r\n", 200),
        RawCase("line breaks before the request", "\r\n\r\nGET {path} HTTP/1.1\r\nHost: shop\r\n\r\n", 200),
        RawCase("an absolute target", "GET http://shop{path} HTTP/1.1\r\nHost: shop\r\n\r\n", 200),
        RawCase("an absolute target of https", "GET https://shop{path} HTTP/1.1\r\nHost: shop\r\n\r\n", 200),
        RawCase("a host with a port", "GET {path} HTTP/1.1\r\nHost: shop.example:8080\r\n\r\n", 200),
        RawCase("an IPv6 host with a port", "GET {path} HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", 200),
        RawCase("HTTP/1.0 without a host", "GET {path} HTTP/1.0\r\n\r\n", 200),

        RawCase("no host", "GET {path} HTTP/1.1\r\n\r\n", 400),
        RawCase("no host, but other fields", "GET {path} HTTP/1.1\r\nAccept: */*\r\n\r\n", 400),
        RawCase("an empty host", "GET {path} HTTP/1.1\r\nHost: \r\n\r\n", 400),
        RawCase("two hosts", "GET {path} HTTP/1.1\r\nHost: shop\r\nHost: other\r\n\r\n", 400),
        RawCase("one host twice", "GET {path} HTTP/1.1\r\nHost: shop\r\nhost: shop\r\n\r\n", 400),
        RawCase("two hosts of HTTP/1.0", "GET {path} HTTP/1.0\r\nHost: shop\r\nHost: other\r\n\r\n", 400),
        RawCase("a list of hosts", "GET {path} HTTP/1.1\r\nHost: shop, other\r\n\r\n", 400),
        RawCase("a host with a user", "GET {path} HTTP/1.1\r\nHost: user@shop\r\n\r\n", 400),
        RawCase("a host with a path", "GET {path} HTTP/1.1\r\nHost: shop/path\r\n\r\n", 400),
        RawCase("a host with a space", "GET {path} HTTP/1.1\r\nHost: shop other\r\n\r\n", 400),
        RawCase("a host with a port that is none", "GET {path} HTTP/1.1\r\nHost: shop:99999\r\n\r\n", 400),
        RawCase("an escaped host", "GET {path} HTTP/1.1\r\nHost: %zz\r\n\r\n", 400),
        RawCase("a host with a zone", "GET {path} HTTP/1.1\r\nHost: [fe80::1%25eth0]\r\n\r\n", 400),
        RawCase("a host with letters as its port", "GET {path} HTTP/1.1\r\nHost: shop:http\r\n\r\n", 400),

        RawCase("a method that is none", "FOOBAR {path} HTTP/1.1\r\nHost: shop\r\n\r\n", 400, 405, 501),
        RawCase("a method in small letters", "get {path} HTTP/1.1\r\nHost: shop\r\n\r\n", 400, 405, 501),
        RawCase("a long method", "\(long) {path} HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("TRACE", "TRACE {path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer secret\r\n\r\n", 404, 405),
        RawCase("CONNECT", "CONNECT shop:443 HTTP/1.1\r\nHost: shop:443\r\n\r\n", 400, 404, 405),
        RawCase("a GET of the whole server", "GET * HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("OPTIONS of the whole server", "OPTIONS * HTTP/1.1\r\nHost: shop\r\n\r\n", 204),
        RawCase("a target without a slash", "GET shop HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("a target with a fragment", "GET {path}#top HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("an absolute target without a host", "GET http://{path} HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("an absolute target with a user", "GET http://a:b@shop{path} HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("CONNECT to a path", "CONNECT {path} HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("no target", "GET HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("a space in the target", "GET /a b HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("a NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("letters beyond ASCII in the target", "GET /café HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("a tab for a space", "GET\t{path} HTTP/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("a long target", "GET /\(long) HTTP/1.1\r\nHost: shop\r\n\r\n", 414, 431),

        RawCase("no version", "GET {path}\r\n\r\n", 400),
        RawCase("another version", "GET {path} HTTP/9.9\r\nHost: shop\r\n\r\n", 400, 505),
        RawCase("version 1.2", "GET {path} HTTP/1.2\r\nHost: shop\r\n\r\n", 200, 400, 505),
        RawCase("half a version", "GET {path} HTTP/1\r\nHost: shop\r\n\r\n", 400),
        RawCase("a version with zeros", "GET {path} HTTP/01.01\r\nHost: shop\r\n\r\n", 400),
        RawCase("a version in small letters", "GET {path} http/1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("a version with a space", "GET {path} HTTP/ 1.1\r\nHost: shop\r\n\r\n", 400),
        RawCase("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, 505),

        RawCase("a bare carriage return at a line's end", "GET {path} HTTP/1.1\rHost: shop\r\n\r\n", 400),
        .get("a bare carriage return in a value", "X-Test: a\rb", 400),
        .get("a folded value", "X-Test: a\r\n b", 400),
        .get("a space before the colon", "X-Test : a", 400),
        .get("a name with a bracket", "X[Test: a", 400),
        .get("no name", ": a", 400),
        .get("no colon", "X-Test", 400),
        .get("a NUL in a value", "X-Test: a\0b", 400),
        .get("a bell in a value", "X-Test: a\u{7}b", 400),
        RawCase("white space before the fields", "GET {path} HTTP/1.1\r\n \r\nHost: shop\r\n\r\n", 400),
        .get("a long value", "X-Test: \(long)", 431),
        .get("a long name", "\(long): a", 431),
        .get("many fields", (0..<1_200).map { "X-\($0): a" }.joined(separator: "\r\n"), 431),
    ]

    private static let json = "Content-Type: application/json\r\n"
    private static let body = #"{"email":"a@b.com"}"#

    /// Bodies by RFC 9112, at a path that answers 202.
    static let bodies: [RawCase] = [
        .post("a length", json + "Content-Length: 19", body, 202),
        .post("chunks", json + "Transfer-Encoding: chunked", "13\r\n\(body)\r\n0\r\n\r\n", 202),
        .post("chunks with an extension", json + "Transfer-Encoding: chunked", "13;a=b\r\n\(body)\r\n0\r\n\r\n", 202),
        .post("chunks with a trailer", json + "Transfer-Encoding: chunked", "13\r\n\(body)\r\n0\r\nA: b\r\n\r\n", 202),
        .post("a coding in capitals", json + "Transfer-Encoding: Chunked", "13\r\n\(body)\r\n0\r\n\r\n", 202, 400),
        .post("a length that is no number", json + "Content-Length: abc", "", 400),
        .post("a length with a sign", json + "Content-Length: +19", body, 400),
        .post("a length below zero", json + "Content-Length: -19", "", 400),
        .post("a length beyond 64 bits", json + "Content-Length: 99999999999999999999", "", 400),
        .post("a length of 64 bits", json + "Content-Length: 9223372036854775808", "", 400),
        .post("no value of the length", json + "Content-Length: ", "", 400),
        .post("two lengths", json + "Content-Length: 19\r\nContent-Length: 5", body, 400),
        .post("a list of lengths", json + "Content-Length: 19, 5", body, 400),
        .post("a length and chunks", json + "Content-Length: 19\r\nTransfer-Encoding: chunked", "0\r\n\r\n", 400),
        .post("an empty coding", json + "Transfer-Encoding: \r\nContent-Length: 19", body, 400),
        .post("an unknown coding", json + "Transfer-Encoding: gzip", "", 400, 501),
        .post("another coding last", json + "Transfer-Encoding: chunked, gzip", "0\r\n\r\n", 400),
        .post("two codings in one field", json + "Transfer-Encoding: gzip, chunked", "0\r\n\r\n", 400),
        .post(
            "chunked last of two fields", json + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
            "0\r\n\r\n",
            400),
        .post("two codings", json + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "0\r\n\r\n", 400),
        .post("a size with a prefix", json + "Transfer-Encoding: chunked", "0x13\r\n\(body)\r\n0\r\n\r\n", 400),
        .post("a size below zero", json + "Transfer-Encoding: chunked", "-1\r\n\(body)\r\n0\r\n\r\n", 400),
        .post(
            "a size that is too large", json + "Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFF0\r\na\r\n0\r\n\r\n", 400),
        .post("a chunk that is too long", json + "Transfer-Encoding: chunked", "5\r\n\(body)\r\n0\r\n\r\n", 400),
        .post(
            "a long extension", json + "Transfer-Encoding: chunked",
            "13;\(String(repeating: "a", count: 65_536))\r\n\(body)\r\n0\r\n\r\n", 400),
        RawCase(
            "chunks of HTTP/1.0",
            "POST /v1/password-resets HTTP/1.0\r\nHost: shop\r\n\(json)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
        ),
    ]
}

@Suite("Requests as HTTP/1.1 wants them", .timeLimit(.minutes(5)))
struct HTTPRuleTests {
    /// The lane's, the framework's, and a page.
    static let paths = ["/v1/seasons", "/v1/shop", "/"]

    @Test(arguments: paths)
    func `Heads are accepted and refused as RFC 9112 wants, on each way into the server`(path: String) async throws {
        try await LaneShop.serve { shop in
            try await shop.prepare("/v1/seasons")
            for test in RawCase.heads {
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
            for (test, letter) in zip(RawCase.bodies, "abcdefghijklmnopqrstuvwxyz") {
                let answer = try await Self.answer(to: test, path: "", recipient: letter, port: shop.port)
                #expect(test.statuses.contains(answer?.status ?? 0), "\(test.name): \(answer?.head ?? [])")
            }
        }
    }

    private static func answer(
        to test: RawCase, path: String, recipient: Character = "a", port: Int
    ) async throws -> WireAnswer? {
        let connection = LaneClient(try RawConnection(port: port))
        // Some requests are refused before they are whole.
        try? connection.connection.send(
            test.request.replacing("{path}", with: path).replacing("a@b.com", with: "\(recipient)@b.com"))
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
