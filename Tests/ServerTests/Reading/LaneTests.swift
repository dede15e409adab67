import NIOCore
import ServerTesting
import Testing

@Suite("Catalogue pages from the event loop", .timeLimit(.minutes(5)))
struct LaneTests {
    private static let paths = [
        "/v1/products?limit=2&sort=name", "/v1/products/cap", "/v1/seasons", "/v1/themes", "/v1/categories",
        "/v1/promotions",
    ]

    private var shop: LaneShop { .current }

    @Test(arguments: [[], ["https://shop.example.com"]])
    func `An answer is the framework's byte by byte, and so is its line in the log`(origins: Set<String>) async throws {
        try await LaneShop.serve(configure: { $0.policy.allowedOrigins = origins }) { shop in
            let connection = try shop.connect()
            for path in Self.paths {
                let etag = try #require(try await shop.prepare(path).first?.header("ETag"))
                for header in [
                    "Accept: */*", "If-None-Match: \(etag)", "If-None-Match: W/\(etag)", "If-None-Match: \"other\"",
                    "If-None-Match: \"other\", \(etag) ", "If-None-Match: *", "If-None-Match:  * ", "If-None-Match:",
                    "if-none-match: \(etag.dropLast())",
                ] {
                    shop.log.clear()
                    let answer = try #require(try await connection.get(path, header))
                    let expected = try #require(try await connection.get(path, header, "Cookie: a=b"))
                    #expect(answer.lasting == expected.lasting, "\(path) \(header)")
                    #expect(answer.header("Date")?.count == expected.header("Date")?.count)
                    #expect(answer.header("Request-Id") != expected.header("Request-Id"))
                    let lines = shop.log.lines
                    #expect(lines.map(\.isOfLane) == [true, false], "\(path) \(header)")
                    #expect(
                        lines.map { $0.metadata["hb.request.id"] }
                            == [answer, expected].map { $0.header("Request-Id") })
                    let fields = lines.map { $0.metadata.filter { !["hb.request.id", "ms"].contains($0.key) } }
                    #expect(fields.first == fields.last && lines.first?.level == lines.last?.level)
                    #expect(lines.allSatisfy { Double($0.metadata["ms"] ?? "") != nil })
                }
            }
        }
    }

    @Test(.inLane()) func `The Date field is the current second`() async throws {
        try await shop.prepare("/v1/seasons")
        let connection = try shop.connect()
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var seen: Set<Date> = []
        while seen.count < 3 {
            let before = Date().timeIntervalSince1970.rounded(.down)
            let answer = try await connection.get("/v1/seasons")
            let date = try #require(answer?.header("Date").flatMap { format.date(from: $0) })
            // Between two clocks, a second may have ended for one only.
            #expect((before - 1...Date().timeIntervalSince1970).contains(date.timeIntervalSince1970))
            seen.insert(date)
        }
        #expect(shop.log.lines.allSatisfy { $0.isOfLane })
    }

    @Test(
        .inLane(),
        arguments: [
            ("Accept: text/html", true), ("User-Agent: wrk", true), ("Cache-Control: no-cache", true),
            ("Connection: keep-alive", true), ("Connection: Keep-Alive", true), ("X-Forwarded-For: 192.0.2.1", true),
            ("Connection: close", false), ("Connection: upgrade\r\nUpgrade: websocket", false), ("Upgrade: h2c", false),
            ("Authorization: Bearer x", false), ("Pouch-Access-Token: x", false), ("Cookie: a=b", false),
            ("Origin: https://shop.example.com", false), ("Range: bytes=0-1", false), ("Expect: 100-continue", false),
            ("Content-Length: 0", false), ("Transfer-Encoding: chunked\r\n\r\n0", false),
            ("traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("If-None-Match: \"a\"\r\nIf-None-Match: *", false),
            ("X-Long: \(String(repeating: "x", count: 17_000))", false),
        ])
    func `Requests that something else changes are left to the framework`(header: String, isOfLane: Bool) async throws {
        try await shop.prepare("/v1/seasons")
        let answer = try await shop.connect().get("/v1/seasons", header)
        #expect(answer?.status == (header.hasPrefix("X-Long") ? 431 : 200))
        #expect(shop.log.lines.map(\.isOfLane) == [isOfLane])
    }

    @Test(.inLane()) func `Other methods, versions and forms of the address are left to the framework`() async throws {
        try await shop.prepare("/v1/seasons")
        for line in [
            "HEAD /v1/seasons HTTP/1.1", "POST /v1/seasons HTTP/1.1", "GET /v1/seasons HTTP/1.0",
            "GET http://shop/v1/seasons HTTP/1.1", "GET /v1/seasons? HTTP/1.1", "GET /v1/nothing HTTP/1.1",
        ] {
            let connection = try shop.connect()
            try connection.connection.send(line + "\r\nHost: shop\r\n\r\n")
            let answer = await connection.next(isOfHead: line.hasPrefix("HEAD"))
            #expect(answer?.status == (line.contains("POST") ? 405 : line.contains("nothing") ? 404 : 200), "\(line)")
        }
        #expect(shop.log.lines.map(\.isOfLane) == [Bool](repeating: false, count: 6))
    }

    /// The statuses of six answers; a cookie leaves the third to the framework.
    private func statuses(from peer: String, naming client: String? = nil) async throws -> [Int?] {
        let connection = try shop.connect(from: peer)
        var found: [Int?] = []
        for number in 0..<6 {
            var headers = client.map { ["X-Forwarded-For: \($0)"] } ?? []
            if number == 2 { headers.append("Cookie: a=b") }
            try connection.connection.send(LaneClient.request("/v1/seasons", headers))
            found.append(await connection.next()?.status)
        }
        return found
    }

    @Test(
        .inLane(configure: {
            $0.policy.requests = .init(perSecond: 0.001, burst: 5)
            $0.policy.trustedProxies = TrustedProxies([NetworkRange("127.0.0.2")].compactMap(\.self))
        }))
    func `Requests count for the limit of their network, as those to the framework do`() async throws {
        let served: [Int?] = [200, 200, 200, 200, 200, 429]
        try await shop.prepare("/v1/seasons")
        #expect(try await statuses(from: "127.0.0.3") == served)
        #expect(shop.log.lines.map(\.isOfLane) == [true, true, false, true, true, false])
        // Each client of the proxy has a limit of its own; the header of any other peer is ignored.
        #expect(try await statuses(from: "127.0.0.2", naming: "192.0.2.1") == served)
        #expect(try await statuses(from: "127.0.0.2", naming: "192.0.2.2") == served)
        #expect(try await statuses(from: "127.0.0.4", naming: "192.0.2.3") == served)
        #expect(try await statuses(from: "127.0.0.4", naming: "192.0.2.4").allSatisfy { $0 == 429 })
        let clients = shop.log.lines.filter { $0.isOfLane }.map { $0.metadata["client"] }
        #expect(Set(clients.compactMap { $0 }) == ["127.0.0.3", "192.0.2.1", "192.0.2.2", "127.0.0.4"])
    }

    @Test(.inLane()) func `An import is visible within a second`() async throws {
        try await shop.prepare("/v1/products/cap")
        let connection = try shop.connect()
        let before = try #require(try await connection.get("/v1/products/cap"))
        #expect(before.body.contains("\"amount\":1000"))
        try await shop.stock([.stocked("cap", price: 1100, category: "Hats")])
        let after = try #require(try await connection.get("/v1/products/cap"))
        #expect(after.body.contains("\"amount\":1100") && after.header("ETag") != before.header("ETag"))
        #expect(try await connection.get("/v1/products/cap").map(\.lasting) == after.lasting)
        #expect(shop.log.lines.map(\.isOfLane) == [true, false, true])
    }

    @Test(.inFolder) func `Over TLS the answers of the lane equal those of the framework, in order`() async throws {
        let certificate = try await Certificate(for: "IP:127.0.0.1", in: TemporaryFolder.current)
        try await LaneShop.serve(
            .many,
            configure: { $0.tls = .init(certificatePath: certificate.file.path, keyPath: certificate.key.path) }
        ) { shop in
            let last = LaneClient.request("/v1/products?limit=4", ["Connection: close"])
            let long = try await shop.answers(overTLS: last)
            #expect(long.utf8.count > 64 << 10)
            shop.log.clear()
            let requests = String(repeating: LaneClient.request("/v1/products?limit=4"), count: 20)
            let all = try await shop.answers(overTLS: requests + last).components(separatedBy: "HTTP/1.1 ").dropFirst()
            func lasting(_ text: Substring) -> Substring {
                // The last answer says that the connection ends.
                text.replacing(#/(Request-Id|Date|connection): .*\r\n/#, with: "")
            }
            #expect(all.count == 21)
            #expect(all.allSatisfy { lasting($0[...]) == lasting(long.dropFirst("HTTP/1.1 ".count)) })
            #expect(long.contains("Strict-Transport-Security: "))
            #expect(shop.log.lines.first?.isOfLane == true && shop.log.lines.last?.isOfLane == false)
        }
    }
}

extension [FeedProduct] {
    /// 200 products with 30 kB each. A page of all is longer than what the system buffers for a client that does not read.
    static var many: [FeedProduct] {
        (0..<200).map { number in
            FeedProduct(
                line: 1, handle: "product-\(number)", name: "Product \(number)",
                careInstructions: String(repeating: "Wash cold. ", count: 2_700),
                variants: [.stocked("product-\(number)")])
        }
    }
}
