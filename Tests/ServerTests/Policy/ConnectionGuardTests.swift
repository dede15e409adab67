import NIOCore
import ServerTesting
import Testing

@Suite("Clients that keep the server waiting", .timeLimit(.minutes(5)))
struct ConnectionGuardTests {
    /// A server for each test that waits 300 ms for a client unless the test sets another time.
    private static func serving(
        _ configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in }
    ) -> InLane {
        .inLane([]) { configuration in
            configuration.timeouts.time = .milliseconds(300)
            configure(&configuration)
        }
    }

    private let port = LaneShop.current.port

    /// Reads until the server closes the connection.
    private func readToEnd(_ connection: RawConnection) async -> String {
        var text = ""
        while true {
            let piece = await connection.receive()
            if piece.isEmpty { return text }
            text += piece
        }
    }

    /// Opens connections that have each got the answer to a request.
    private func open(_ count: Int, _ request: String) async throws -> [RawConnection] {
        var open: [RawConnection] = []
        for _ in 0..<count {
            let connection = try RawConnection(port: port)
            try connection.send(request)
            #expect(await connection.receive().hasPrefix("HTTP/1.1 200"))
            open.append(connection)
        }
        return open
    }

    /// The length of an answer with its head. The server makes this answer once, which takes long on a busy machine:
    /// therefore no client with a time limit asks for it.
    private func lengthOfLongAnswer() async throws -> Int {
        let connection = try RawConnection(port: port)
        try connection.send("GET /openapi.json HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n")
        return await readToEnd(connection).utf8.count
    }

    private static let live = "GET /health/live HTTP/1.1\r\nHost: shop\r\n\r\n"
    private static let head = "POST /v1/sessions HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n"

    @Test(serving()) func `A body that arrives byte by byte is given up`() async throws {
        let connection = try RawConnection(port: port)
        try connection.send(Self.head + "Content-Length: 100000\r\n\r\n{")
        let dripping = Task {
            // Much more often than the limit, and without end.
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(50))
                try connection.send(" ")
            }
        }
        #expect(await readToEnd(connection) == "")
        dripping.cancel()
        _ = await dripping.result
    }

    @Test(serving { ($0.timeouts.bytes, $0.timeouts.time) = (1, .seconds(5)) })
    func `A slow body that arrives at the required rate is read`() async throws {
        let connection = try RawConnection(port: port)
        let body = #"{"email":"ada@example.com","password":"wrong password"}"#
        try connection.send(Self.head + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        // No other test stops a thread. The whole body takes longer than the limit.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        for character in body {
                            try connection.send(String(character))
                            Thread.sleep(forTimeInterval: 0.12)
                        }
                    })
            }
        }
        #expect(await readToEnd(connection).hasPrefix("HTTP/1.1 401"))
    }

    @Test(serving { $0.connections = 8 })
    func `A client that does not read its answers loses the connection`() async throws {
        // A network has one connection, so that another one is served as soon as the server has given it up.
        let length = try await lengthOfLongAnswer()
        let requests = 400
        let request = "GET /openapi.json HTTP/1.1\r\nHost: shop\r\n\r\n"
        var received = 0
        var unread: RawConnection?
        try await eventually {
            let connection = try RawConnection(port: port, receiveBuffer: 4_096)
            // Both fail while the server has not noticed the end of the connection before.
            try? connection.send(String(repeating: request, count: requests))
            received = await connection.receive().utf8.count
            unread = connection
            return received > 0
        }
        let connection = try #require(unread)
        let other = Caller(transport: .tcp(port: port))
        try await eventually { (try? await other.call(Contract.healthLive).status) == 200 }
        // The rest was in the buffers of the system.
        received += await readToEnd(connection).utf8.count
        #expect(received < requests * length / 2)
    }

    @Test(
        serving { $0.timeouts.time = .seconds(5) },
        arguments: [
            "CONNECT shop:80 HTTP/1.1\r\nHost: shop\r\n\r\n",
            "GET /health/live HTTP/1.1\r\nHost: shop\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        ])
    func `A client that wants another protocol gets its answer, and no more of it is read`(head: String) async throws {
        let connection = try RawConnection(port: port)
        try connection.send(head)
        #expect(await connection.receive().hasPrefix("HTTP/1.1 "))
        #expect(await connection.send(String(repeating: "x", count: 32_768), upTo: 64 << 20) < 16 << 20)
    }

    @Test(serving { $0.timeouts.time = .seconds(60) })
    func `A client that offers another protocol gets a long answer in full`() async throws {
        // On a busy machine this client may read slowly itself.
        let length = try await lengthOfLongAnswer()
        let connection = try RawConnection(port: port, receiveBuffer: 4_096)
        try connection.send("GET /openapi.json HTTP/1.1\r\nHost: shop\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
        #expect(await readToEnd(connection).utf8.count >= length)
    }

    @Test(
        serving { $0.timeouts.time = .seconds(5) },
        arguments: ["Content-Length: 1000000000", "Transfer-Encoding: chunked"])
    func `A refused body is read for a moment only, so that the client reads the refusal`(length: String) async throws {
        let connection = try RawConnection(port: port)
        try connection.send("POST /v1/admin/imports?format=shopify-csv HTTP/1.1\r\nHost: shop\r\n\(length)\r\n\r\n")
        let chunk = String(repeating: "x", count: 32_768)
        let piece = length.hasPrefix("C") ? chunk : "8000\r\n" + chunk + "\r\n"
        #expect(await connection.receive().hasPrefix("HTTP/1.1 401"))
        // The bytes that are read after the answer, and what the buffers of the system hold.
        #expect(await connection.send(piece, upTo: 256 << 20) < 64 << 20)
    }

    @Test(
        serving { $0.timeouts.beginning = .milliseconds(300) },
        arguments: ["", "GET /health/live HTTP/1.1\r\nHost: shop\r\n"])
    func `A connection without a whole first request is closed`(sent: String) async throws {
        let connection = try RawConnection(port: port)
        try connection.send(sent)
        // An idle connection stays open for 75 seconds.
        let start = ContinuousClock.now
        #expect(await readToEnd(connection) == "")
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @Test(serving())
    func `A body after a request for another protocol does not keep the connection open`() async throws {
        let connection = try RawConnection(port: port)
        try connection.send(Self.head + "Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 100000\r\n\r\n")
        let start = ContinuousClock.now
        _ = await readToEnd(connection)
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @Test(serving { ($0.connections, $0.policy.trustedProxies) = (64, .local) })
    func `While most connections are in use, one network gets fewer of the rest`() async throws {
        // The proxy, which is not limited, takes the first three quarters.
        func connect(from address: String = "127.0.0.1") async throws -> RawConnection? {
            let connection = try RawConnection(port: port, from: address)
            // Fails if the server has closed the connection already.
            try? connection.send(Self.live)
            return await connection.receive().hasPrefix("HTTP/1.1 200") ? connection : nil
        }
        var open: [RawConnection?] = []
        for _ in 0..<4 { open.append(try await connect(from: "127.0.0.2")) }
        for _ in 0..<44 { open.append(try await connect()) }
        #expect(open.allSatisfy { $0 != nil })
        #expect(try await connect(from: "127.0.0.2") == nil)
        let other = try await connect(from: "127.0.0.3")
        #expect(other != nil)
        #expect(try await connect(from: "127.0.0.3") == nil)
    }

    /// The first path is the framework's, the second that of a page that the lane has ready.
    @Test(serving { $0.connections = 32 }, arguments: ["/health/live", "/v1/seasons"])
    func `One network can use an eighth of the connections, and reuse closed ones`(path: String) async throws {
        let open = try await self.open(4, "GET \(path) HTTP/1.1\r\nHost: shop\r\n\r\n")
        #expect(await readToEnd(try RawConnection(port: port)) == "")
        try open[0].close()
        let caller = Caller(transport: .tcp(port: port))
        try await eventually { (try? await caller.call(Contract.healthLive).status) == 200 }
    }

    @Test(serving { ($0.connections, $0.policy.trustedProxies) = (4, .local) })
    func `Connections beyond the limit wait until others close`() async throws {
        let open = try await self.open(4, Self.live)
        let waiting = try RawConnection(port: port)
        try waiting.send(Self.live)
        // A server without the limit answers at once.
        #expect(await !waiting.hasAnswer(within: 300))
        try open[0].close()
        #expect(await waiting.receive().hasPrefix("HTTP/1.1 200"))
    }
}

extension TrustedProxies {
    /// A proxy on this machine.
    static var local: TrustedProxies { TrustedProxies([NetworkRange("127.0.0.1")].compactMap(\.self)) }
}
