import ServerTesting
import Testing

@Suite("Connections as HTTP/1.1 wants them", .timeLimit(.minutes(5)), .inLane())
struct HTTPConnectionTests {
    private let shop = LaneShop.current

    // MARK: Expect: 100-continue

    private static func head(
        _ length: String, _ type: String = "application/json", path: String = "/v1/password-resets"
    ) -> String {
        "POST \(path) HTTP/1.1\r\nHost: shop\r\nContent-Type: \(type)\r\nExpect: 100-continue\r\n\(length)\r\n\r\n"
    }

    private static let body = #"{"email":"a@b.com"}"#
    private static let asking = ["HTTP/1.1 100 Continue"]

    @Test(arguments: ["Content-Length: 19", "Transfer-Encoding: chunked"])
    func `A client that waits to send its body gets 100 (Continue), and then its answer`(length: String) async throws {
        let connection = try shop.connect()
        for _ in 0..<2 {
            #expect(try await connection.answer(to: Self.head(length))?.head == Self.asking)
            let sent = length.hasPrefix("C") ? Self.body : "13\r\n\(Self.body)\r\n0\r\n\r\n"
            #expect(try await connection.answer(to: sent)?.status == 202)
        }
    }

    @Test(arguments: [
        (head("Content-Length: 70000", "text/plain"), 415), (head("Content-Length: \(Limits.bodyBytes + 1)"), 413),
        (head("Content-Length: 70000", path: "/v1/account/addresses"), 401),
        (head("Content-Length: 70000", "text/csv", path: "/v1/admin/imports?format=shopify-csv"), 401),
        (head("Transfer-Encoding: chunked", path: "/v1/nothing"), 404),
    ])
    func `A refusal that does not need the body is sent before it, and ends the connection`(
        head: String, status: Int
    ) async throws {
        let connection = try shop.connect()
        let answer = try await connection.answer(to: head)
        #expect(answer?.status == status && answer?.header("Connection") == "close")
        #expect(await connection.hasEnded())
    }

    @Test func `A short body gets 100 (Continue) at once, since Java's client waits after a refusal`() async throws {
        let connection = try shop.connect()
        for (length, path, status) in [(19, "/v1/nothing", 404), (65_536, "/v1/account/addresses", 401)] {
            let head = Self.head("Content-Length: \(length)", path: path)
            #expect(try await connection.answer(to: head)?.head == Self.asking)
            #expect(try await connection.answer(to: String(repeating: " ", count: length))?.status == status)
        }
    }

    @Test(arguments: ["100-continue ", "x=1, 100-Continue"])
    func `An expectation in a list is recognised`(expectation: String) async throws {
        let connection = try shop.connect()
        let head = Self.head("Content-Length: 19").replacing("100-continue", with: expectation)
        #expect(try await connection.answer(to: head)?.head == Self.asking)
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"])
    func `A body that comes with its head is not asked for, and HTTP/1.0 knows no 100`(version: String) async throws {
        let connection = try shop.connect()
        let head = Self.head("Content-Length: 19").replacing("HTTP/1.1", with: version)
        #expect(try await connection.answer(to: head + Self.body)?.status == 202)
        guard version == "HTTP/1.1" else { return }
        #expect(try await connection.get("/v1/shop", "Expect: 100-continue")?.status == 200)
    }

    // MARK: The end of connections

    @Test(arguments: ["/v1/seasons", "/v1/shop", "/v1/nothing", "/", "/nothing"])
    func `An answer says when it is the last of its connection`(path: String) async throws {
        try await shop.prepare("/v1/seasons")
        // As ApacheBench asks with -k: HTTP/1.0, whose connections end unless the answer says otherwise.
        for request in [
            "GET \(path) HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n",
            "GET \(path) HTTP/1.1\r\nHost: shop\r\nConnection: Close, TE\r\n\r\n",
            "GET \(path) HTTP/1.1\r\nHost: shop\r\nConnection: x, close\r\n\r\n", "GET \(path) HTTP/1.0\r\n\r\n",
            "GET \(path) HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: 127.0.0.1\r\nUser-Agent: ApacheBench/2.3\r\n\r\n",
        ] {
            let connection = try shop.connect()
            let answer = try await connection.answer(to: request)
            #expect(answer?.status == (path.hasSuffix("nothing") ? 404 : 200), "\(request)")
            #expect(answer?.header("Connection") == "close", "\(request): \(answer?.head ?? [])")
            #expect(await connection.hasEnded())
        }
        let connection = try shop.connect()
        for _ in 0..<2 { #expect(try await connection.get(path)?.header("Connection") == nil) }
    }

    @Test func `A body without a length ends with an HTTP/1.0 connection, and HEAD has no body`() async throws {
        let field = try await "Authorization: Bearer \(Transport.tcp(port: shop.port).customer().accessToken)\r\n"
        let get = try shop.connect()
        let whole = try await get.answer(to: "GET /v1/account/export HTTP/1.1\r\nHost: shop\r\n\(field)\r\n")
        #expect(whole?.status == 200 && whole?.header("Content-Length") == nil)

        let old = try shop.connect()
        let framed = try await old.answer(to: "GET /v1/account/export HTTP/1.0\r\n\(field)\r\n")
        #expect(framed?.status == 200 && framed?.header("Transfer-Encoding") == nil, "\(framed?.head ?? [])")
        #expect(framed?.header("Connection") == "close")

        let head = try shop.connect()
        for _ in 0..<2 {
            try head.connection.send("HEAD /v1/account/export HTTP/1.1\r\nHost: shop\r\n\(field)\r\n")
            let answer = await head.next(isOfHead: true)
            #expect(answer?.status == 200 && answer?.header("Content-Length") == nil, "\(answer?.head ?? [])")
        }
        // No chunk is left over.
        #expect(try await head.get("/v1/shop")?.status == 200)
    }
}
