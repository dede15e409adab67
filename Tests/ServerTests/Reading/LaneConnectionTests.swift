import NIOCore
import PouchSandbox
import SeededRandom
import ServerTesting
import Testing

@Suite("Connections with catalogue pages from the event loop", .timeLimit(.minutes(5)))
struct LaneConnectionTests {
    private static let long = "/v1/products?limit=200"

    private let shop = LaneShop.current

    // MARK: Order
    /// A request with the status and the body of its answer; nil for any body.
    private typealias Exchange = (request: String, status: Int, body: String?)

    @Test(.inLane(), arguments: 1...6)
    func `Answers keep the order of pipelined requests, also if these arrive in pieces`(seed: UInt64) async throws {
        let pages = ["/v1/products/cap", "/v1/products/scarf", "/v1/categories"]
        let ready = try await shop.prepare(pages[0], pages[1], pages[2])
        let body = #"{"sku":"cap","quantity":1}"#
        let head = "HEAD \(pages[0]) HTTP/1.1\r\nHost: shop\r\n\r\n"
        let post = "POST /v1/cart/lines HTTP/1.1\r\nHost: shop\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        var kinds: [Exchange] = []
        for (page, answer) in zip(pages, ready) {
            kinds.append((LaneClient.request(page), 200, answer.body))
            kinds.append((LaneClient.request(page, ["If-None-Match: \(answer.header("ETag") ?? "")"]), 304, ""))
            kinds.append((LaneClient.request(page, ["Cookie: a=b"]), 200, answer.body))
            kinds.append((LaneClient.request(page, ["Content-Length: 5"]) + "GET /", 200, answer.body))
        }
        // The availability is read from the database.
        let others: [Exchange] = [
            (head, 200, nil), (LaneClient.request("/v1/nothing"), 404, nil),
            (LaneClient.request("/v1/availability?sku=cap"), 200, nil), (post + body, 401, nil),
        ]
        kinds += others
        var random = SplitMix64(seed: seed)
        let connection = try shop.connect()
        for _ in 0..<10 {
            let exchanges = (0..<30).compactMap { _ in
                random.chance(60) ? kinds.first : kinds.randomElement(using: &random)
            }
            var text = Substring(exchanges.map(\.request).joined())
            while !text.isEmpty {
                let piece = text.prefix(random.chance(50) ? .random(in: 1...20, using: &random) : 2_000)
                try connection.connection.send(String(piece))
                text = text.dropFirst(piece.count)
            }
            for exchange in exchanges {
                let isOfHead = exchange.request == head
                let answer = try #require(await connection.next(isOfHead: isOfHead), "\(exchange.request)")
                #expect(answer.status == exchange.status, "\(exchange.request)")
                if let body = exchange.body { #expect(answer.body == body, "\(exchange.request)") }
            }
        }
        let lanes = shop.log.lines.map(\.isOfLane)
        #expect(lanes.count == 300 && lanes.contains(true) && lanes.contains(false))
    }

    @Test(.inLane()) func `A thousand requests on one connection have a thousand ids`() async throws {
        try await shop.prepare("/v1/seasons")
        let connection = try shop.connect()
        var ids: Set<String?> = []
        for _ in 0..<1_000 { ids.insert(try await connection.get("/v1/seasons")?.header("Request-Id")) }
        #expect(ids.count == 1_000 && !ids.contains(nil))
        #expect(shop.log.lines.count { $0.isOfLane } == 1_000)
    }

    // MARK: Ends
    @Test(.inLane()) func `After a request that closes the connection nothing more is answered`() async throws {
        try await shop.prepare("/v1/seasons")
        let connection = try shop.connect()
        let last = LaneClient.request("/v1/seasons", ["Connection: close"])
        let other = LaneClient.request("/v1/seasons")
        try connection.connection.send(other + last + String(repeating: other, count: 5))
        #expect(await connection.next()?.status == 200)
        #expect(await connection.next()?.status == 200)
        #expect(await connection.hasEnded())
        #expect(shop.log.lines.map(\.isOfLane) == [true, false])
    }

    @Test(.inLane(.many)) func `A client that closes only its own side gets its pages in full`() async throws {
        let expected = try #require(try await shop.prepare(Self.long).first)
        let connection = try shop.connect(receiveBuffer: 4_096)
        try connection.connection.send(LaneClient.request(Self.long))
        connection.connection.finish()
        try await eventually { shop.log.lines.map { $0.isOfLane } == [true] }
        #expect(await connection.next()?.lasting == expected.lasting)
        #expect(await connection.hasEnded())
    }

    // Nothing but the shutdown closes a connection.
    @Test(.inLane(.many, configure: { ($0.timeouts.idle, $0.timeouts.time) = (.hours(1), .hours(1)) }))
    func `A shutdown closes connections at once, and those with unread pages when these are read`() async throws {
        let expected = try #require(try await shop.prepare(Self.long).first)
        let (resting, reading) = (try shop.connect(), try shop.connect(receiveBuffer: 4_096))
        try await shop.prepare("/v1/seasons")
        #expect(try await resting.get("/v1/seasons")?.status == 200)
        try reading.connection.send(LaneClient.request(Self.long))
        try await eventually { shop.log.lines.count == 2 }
        await shop.stop()
        #expect(await resting.hasEnded())
        #expect(await reading.next()?.lasting == expected.lasting)
        #expect(await reading.hasEnded())
        #expect(shop.log.lines.allSatisfy { $0.isOfLane })
    }

    // MARK: Time limits
    @Test(.inLane(configure: { ($0.timeouts.beginning, $0.timeouts.idle) = (.seconds(3), .seconds(3)) }))
    func `A connection in use stays open, and is closed when it has been idle`() async throws {
        // Longer than this test pauses by itself on a busy machine, except rarely.
        let idle = Duration.seconds(3)
        try await shop.prepare("/v1/seasons")
        var start = ContinuousClock.now
        var last = start
        var connection = try shop.connect()
        while start.duration(to: .now) < idle * 3 {
            let next = ContinuousClock.now
            if let answer = try? await connection.get("/v1/seasons") {
                #expect(answer.status == 200)
                last = next
                try await Task.sleep(for: .milliseconds(50))
            } else {
                // It has paused for too long, and starts again.
                try #require(last.duration(to: .now) >= idle)
                (start, last) = (.now, .now)
                connection = try shop.connect()
            }
        }
        #expect(await connection.hasEnded())
        // Without the setting it would be 75 s.
        #expect(last.duration(to: .now) < .seconds(60))
        #expect(shop.log.lines.allSatisfy { $0.isOfLane })
    }

    @Test(
        .inLane(configure: {
            $0.timeouts.idle = .seconds(1)
            $0.sandboxTiming = .init(slow: .seconds(3), lost: .zero)
        }))
    func `A connection that waits for an answer is not idle`() async throws {
        var guest: Caller?
        // On a busy machine a connection may have waited for its first request for too long.
        try await eventually {
            guest = try? await Transport.tcp(port: shop.port).guest()
            return guest != nil
        }
        let token = try #require(guest?.session?.remoteSession.accessToken)
        let body = try BuyNowRequest(
            lines: [LineRequest(sku: "cap", quantity: 1)], address: AddressInput(.sample), methodId: "standard",
            paymentMethod: .card(token: "tok_slow"), expectedTotal: Money(1490, .eur), email: "guest@example.com"
        ).json()
        let connection = try shop.connect()
        try connection.connection.send(
            "POST /v1/orders HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer \(token)\r\nIdempotency-Key: one\r\n"
                + "Content-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self))
        #expect(await connection.next()?.status == 201)
        // Now it is.
        #expect(await connection.hasEnded())
    }

    @Test(.inLane(.many, configure: { $0.timeouts.time = .milliseconds(300) }))
    func `A client that does not read its pages loses the connection`() async throws {
        try await shop.prepare(Self.long)
        let connection = try shop.connect(receiveBuffer: 4_096)
        try connection.connection.send(String(repeating: LaneClient.request(Self.long), count: 4_000))
        #expect(await connection.connection.isReset(within: 180))
        // Most requests were not even read.
        #expect(shop.log.lines.count < 100)
    }

    @Test(.inLane(.many)) func `A client that reads late gets all pages`() async throws {
        let expected = try #require(try await shop.prepare(Self.long).first)
        let connection = try shop.connect(receiveBuffer: 4_096)
        try connection.connection.send(String(repeating: LaneClient.request(Self.long), count: 5))
        try await eventually { !shop.log.lines.isEmpty }
        for _ in 0..<5 { #expect(await connection.next()?.lasting == expected.lasting) }
        #expect(try await connection.get(Self.long)?.lasting == expected.lasting)
        let lanes = shop.log.lines.map(\.isOfLane)
        #expect(lanes.count == 6 && lanes.contains(false) && lanes.first == true)
    }
}
