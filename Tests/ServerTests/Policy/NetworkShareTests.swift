import ServerTesting
import Testing

@testable import PouchHTTP

/// A customer of a provider has up to 65,536 IPv6 networks of 64 bits, and counts as one all the same.
@Suite("Wide networks", .timeLimit(.minutes(5)))
struct NetworkShareTests {
    /// The networks of 64 bits within one of 48 bits, each in a network of 56 bits of its own.
    private static func network(_ number: Int, of customer: String = "2001:db8:7") throws -> String {
        try #require(NetworkAddress("\(customer):\(String(number * 256, radix: 16))::1")).network
    }

    @Test func `An IPv6 client counts for 64, 56 and 48 bits, an IPv4 client for its address`() throws {
        #expect(NetworkShare.all(of: "192.0.2.1").map(\.factor) == [1])
        let shares = NetworkShare.all(of: try #require(NetworkAddress("2001:db8:7:12ff::1")).network)
        #expect(shares.map(\.network) == ["20010db8000712ff", "20010db8000712", "20010db80007"])
        #expect(shares.map(\.factor) == [1, 2, 3])
    }

    @Test func `A limiter gives all networks of 48 bits three times as much as one, and others their own`() throws {
        let limiter = NetworkLimiter(.init(perSecond: 1, burst: 8), time: SettableClock())
        let networks = try (0..<200).map { try Self.network($0) }
        #expect((23...24).contains(networks.count { (try? limiter.take(from: $0)) != nil }))
        #expect(limiter.wait(of: try Self.network(200)) == 1)
        #expect(limiter.wait(of: try Self.network(0, of: "2001:db8:8")) == nil)
        #expect(limiter.wait(of: "192.0.2.1") == nil)
    }

    @Test func `A limiter forgets the networks with the least use first`() throws {
        let limiter = NetworkLimiter(.init(perSecond: 0.001, burst: 10), time: SettableClock(), capacity: 4)
        for network in ["a", "b", "c", "d"] { limiter.count(network) }
        for network in ["c", "d"] { for _ in 0..<9 { limiter.count(network) } }
        limiter.count("e")
        #expect(limiter.count == 3)
        #expect(["a", "b", "c", "d", "e"].map { limiter.wait(of: $0) != nil } == [false, false, true, true, false])
    }

    @Test func `One customer's networks cannot take all connections`() throws {
        let connections = ConnectionCount(limit: 1_024, proxies: TrustedProxies([]))
        for number in 0..<256 {
            let client = try #require(NetworkAddress("2001:db8:7:\(String(number, radix: 16))00::1"))
            for _ in 0..<128 { _ = connections.add(client) }
        }
        #expect(connections.current == 384)
        for other in ["2001:db8:8::1", "192.0.2.1"] { #expect(connections.add(try #require(NetworkAddress(other)))) }
    }

    @Test(.inShop([]))
    func `A hundred wrong passwords from one customer's networks do not lock the owner out elsewhere`() async throws {
        let shop = TestShop.current
        _ = try await shop.customer()
        var invalid = 0
        for number in 0..<100
        where try await shop.signIn("wrong password", network: Self.network(number / 10)) == .invalid { invalid += 1 }
        #expect(invalid == 30)
        #expect(try await shop.signIn(network: Self.network(77)) == .throttled)
        #expect(try await shop.signIn(network: Self.network(0, of: "2001:db8:8")) == .success)
        #expect(try await shop.signIn(network: "198.51.100.1") == .success)
    }

    @Test(.inShop([]))
    func `Successful sign-ins do not count for the wide networks`() async throws {
        let shop = TestShop.current
        _ = try await shop.customer()
        for number in 0..<40 { #expect(try await shop.signIn(network: Self.network(number)) == .success) }
    }

    @Test(.inShop([]))
    func `One customer's networks cannot use up the limit of mails to one address or to many`() async throws {
        let shop = TestShop.current
        func ask(_ email: String, _ network: String) async throws -> Bool {
            try await shop.requestReset(of: email, network: network) == nil
        }
        for number in 0..<20 { _ = try await ask("ada@example.com", Self.network(number)) }
        #expect(try await ask("ada@example.com", "198.51.100.1"))
        var sent = 0
        for number in 0..<120 where try await ask("u\(number)@example.com", Self.network(number)) { sent += 1 }
        #expect(sent == 90 - 9)
    }
}
