import Hummingbird
import Loopback
import NIOCore
import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain
@testable import PouchServer

extension WebhookClient {
    fileprivate nonisolated func post(_ url: String) async -> WebhookDelivery.Attempt {
        guard let address = PeerAddress(url) else { return .init(at: Date(), milliseconds: 0, error: "no address") }
        return await post(Data("{}".utf8), to: address, headers: [], at: Date())
    }
}

@Suite("Requests of webhooks", .timeLimit(.minutes(5)), .withReceiver)
struct WebhookClientTests {
    private let receiver = Receiver.current
    private let port: Int

    init() throws { port = try #require(URL(string: receiver.url)?.port) }

    @Test func `A name with a private address gets no request, even if its other addresses are public`() async throws {
        for addresses in [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"], ["::1"]] {
            let client = WebhookClient(rule: .init(allowsPrivate: false)) { _ in addresses }
            let attempt = await client.post("http://rebound.example:\(port)/")
            #expect(attempt.status == nil && attempt.error?.contains("private network") == true)
            await client.close()
        }
        #expect(receiver.requests.isEmpty)
    }

    @Test func `The request goes to the address that was checked, not to a later one of the name`() async throws {
        let calls = Mutex(0)
        let client = WebhookClient(rule: .init(allowsPrivate: true)) { name in
            calls.withLock { $0 += 1 }
            // The system's resolver does not know this name.
            return name == "checked.invalid" ? ["127.0.0.1"] : []
        }
        for _ in 1...2 {
            let attempt = await client.post("http://checked.invalid:\(port)/hook")
            #expect(attempt.status == 204, "\(attempt)")
        }
        #expect(calls.withLock { $0 } == 1)
        #expect(receiver.requests.count == 2)
        #expect(await client.post("http://unknown.invalid:\(port)/").error == "The host name has no address.")
        await client.close()
    }

    @Test func `A hanging resolver takes no longer than the limit; a name is resolved once at a time`() async throws {
        let (answers, resolver) = AsyncStream.makeStream(of: Never.self)
        let calls = Mutex<[String: Int]>([:])
        let client = WebhookClient(rule: .init(allowsPrivate: true), timeLimit: .seconds(1)) { name in
            calls.withLock { $0[name, default: 0] += 1 }
            // Like the system's resolver, it cannot be cancelled.
            if name == "slow.invalid" { await Task { for await _ in answers {} }.value }
            return ["127.0.0.1"]
        }
        let start = ContinuousClock.now
        let attempts = try await parallel(3) { _ in await client.post("http://slow.invalid:\(port)/hook") }
        for attempt in attempts {
            #expect(attempt.status == nil && attempt.error?.contains("not answer completely") == true, "\(attempt)")
        }
        // The resolver hangs until the test lets it go on. A busy machine may need longer than the limit.
        #expect(ContinuousClock.now - start < .seconds(180))
        #expect(receiver.requests.isEmpty)
        // Other names do not wait for it.
        try await eventually { await client.post("http://quick.invalid:\(port)/hook").status == 204 }
        resolver.finish()
        try await eventually { await client.post("http://slow.invalid:\(port)/hook").status == 204 }
        #expect(calls.withLock { $0 } == ["slow.invalid": 1, "quick.invalid": 1])
        await client.close()
    }

    @Test func `Redirects are not followed`() async throws {
        try await Receiver.serve { target in
            receiver.answers { [url = target.url] _ in .redirect(to: url, type: .temporary) }
            let client = WebhookClient(rule: .init(allowsPrivate: true))
            let attempt = await client.post(receiver.url)
            #expect(attempt.status == 307 && !attempt.isSuccess)
            #expect(target.requests.isEmpty)
            await client.close()
        }
    }

    @Test func `The first bytes of a long answer are kept, in one line`() async throws {
        receiver.answers { _ in .status(500, "a\n\u{0}" + String(repeating: "b", count: 1 << 20)) }
        let client = WebhookClient(rule: .init(allowsPrivate: true))
        let attempt = await client.post(receiver.url)
        #expect(attempt.status == 500 && attempt.answer == "a" + String(repeating: "b", count: 497))
        await client.close()
    }

    @Test func `An answer that never ends is given up`() async throws {
        let forever = AsyncStream<ByteBuffer>.makeStream()
        receiver.answers { _ in
            Response(
                status: .ok,
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "."))
                    for await _ in forever.stream {}
                    try await writer.finish(nil)
                })
        }
        let client = WebhookClient(rule: .init(allowsPrivate: true), timeLimit: .milliseconds(300))
        let attempt = await client.post(receiver.url)
        #expect(attempt.status == nil && attempt.error?.contains("not answer completely") == true)
        forever.continuation.finish()
        await client.close()
    }
}

@Suite("Failures, addresses and tries of webhooks", .timeLimit(.minutes(5)))
struct WebhookFailureTests {
    @Test(arguments: ["000", "050", "099"])
    func `A status below 100 is a failed attempt, and does not end the server`(status: String) async throws {
        let receiver = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 \(status) Odd\r\nContent-Length: 0\r\n\r\n")
        }
        let client = WebhookClient(rule: .init(allowsPrivate: true)) { _ in [] }
        let attempt = await client.post(try receiver.url("/hook").absoluteString)
        #expect(attempt.status == nil && attempt.error != nil, "\(attempt)")
        await client.close()
    }

    @Test func `A port without a server is a failure with a reason`() async throws {
        let client = WebhookClient(rule: .init(allowsPrivate: true))
        let attempt = await client.post("http://127.0.0.1:9/")
        #expect(attempt.status == nil && attempt.error != nil)
        await client.close()
    }

    @Test(arguments: [
        ("93.184.216.34", true), ("2606:2800:220:1::1", true), ("8.8.8.8", true), ("10.0.0.1", false),
        ("172.16.0.1", false), ("172.32.0.1", true), ("192.168.1.1", false), ("127.0.0.1", false),
        ("169.254.169.254", false), ("100.100.100.200", false), ("0.0.0.0", false), ("255.255.255.255", false),
        ("224.0.0.251", false), ("::1", false), ("::", false), ("fe80::1", false), ("fd00:ec2::254", false),
        ("ff02::1", false), ("::ffff:127.0.0.1", false), ("::ffff:8.8.8.8", true), ("::7f00:1", false),
        ("64:ff9b::a00:1", false), ("2002:a00:1::", false), ("2001:0:4136:e378::", false), ("2001:db8::1", false),
        ("198.18.0.1", false), ("192.0.0.8", false),
    ])
    func `Only unicast addresses outside private networks are public`(text: String, isPublic: Bool) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == isPublic)
    }

    @Test func `Ten tries take at most three days`() {
        #expect(WebhookSchedule.waits.count == 9)
        #expect(WebhookSchedule.waits.reduce(0, +) <= 3 * 24 * 3600)
        #expect(WebhookSchedule.waits == WebhookSchedule.waits.sorted())
        #expect(WebhookSchedule.wait(after: 1, fraction: 0) == 0)
        #expect(abs((WebhookSchedule.wait(after: 9, fraction: 1) ?? 0) - 22 * 3600) < 1)
        #expect(WebhookSchedule.wait(after: 10, fraction: 0.5) == nil)
    }
}
