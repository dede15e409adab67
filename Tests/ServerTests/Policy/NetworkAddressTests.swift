import PouchDomain
import Testing

@testable import PouchHTTP

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
    ])
    func `All spellings of a network address have one text`(text: String, expected: String) {
        #expect(NetworkAddress(text)?.description == expected)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
        ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    ])
    func `A network is an IPv4 address, or 64 bits of IPv6`(one: String, other: String, isShared: Bool) throws {
        let (one, other) = (try #require(NetworkAddress(one)), try #require(NetworkAddress(other)))
        #expect((one.network == other.network) == isShared)
    }

    @Test(arguments: [
        "", "localhost", "192.0.2", "192.0.2.1:80", "[::1]", "192.0.2.256", "1::2::3", " ::1", "127.0.0.1%x",
        "::1%eth0",
    ])
    func `Any other text is not a network address`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.129", true),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "203.0.113.9", false),
        ("::/0", "2001:db8::1", true),
        ("::1", "::1", true), ("::1", "::2", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("127.0.0.1/32", "127.0.0.1", true),
    ])
    func `A range contains the addresses that share its bits`(range: String, address: String, isInside: Bool) throws {
        let (range, address) = (try #require(NetworkRange(range)), try #require(NetworkAddress(address)))
        #expect(range.contains(address) == isInside)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "/8", "all"])
    func `Any other text is not a range`(text: String) {
        #expect(NetworkRange(text) == nil)
    }

    private let proxies = TrustedProxies(["10.0.0.0/8", "::1"].compactMap { NetworkRange($0) })

    @Test(arguments: [
        // The entry of the client comes first; each proxy appends one.
        ("10.0.0.1", ["203.0.113.7"], "203.0.113.7"), ("10.0.0.1", ["1.1.1.1, 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7, 10.0.0.2"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7", "10.0.0.2"], "203.0.113.7"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"), ("::1", ["2001:db8::5"], "2001:db8::5"),
        // Not from a proxy, or not readable.
        ("198.51.100.1", ["203.0.113.7"], "198.51.100.1"), ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.7, unknown"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.7,, 10.0.0.2"], "203.0.113.7"),
        // With ports, as some proxies write them.
        ("10.0.0.1", ["203.0.113.7:4711"], "203.0.113.7"), ("10.0.0.1", ["[2001:db8::5]:4711"], "2001:db8::5"),
    ])
    func `The client is the last that is no trusted proxy's`(peer: String, forwarded: [String], client: String) throws {
        let peer = try #require(NetworkAddress(peer))
        #expect(proxies.client(peer: peer, forwarded: forwarded) == NetworkAddress(client))
    }
}
