import Testing

@testable import PouchDomain

@Suite("Addresses of other servers")
struct PeerAddressTests {
    @Test(arguments: [
        ("https://example.com", "example.com", true), ("http://127.0.0.1:1/x?y=z", "127.0.0.1", false),
        ("HTTPS://Example.com:65535/", "Example.com", true), ("http://[::1]:8080/", "::1", false),
        ("http://payments_1:8080", "payments_1", false), ("http://example.com:", "example.com", false),
    ])
    func `An address has a scheme, a host and a port that a client can take`(
        text: String, host: String, isEncrypted: Bool
    ) throws {
        let address = try #require(PeerAddress(text))
        #expect(address.host == host && address.isEncrypted == isEncrypted)
    }

    @Test(arguments: [
        "", "example.com", "example.com:80", "ftp://example.com", "unix:///x", "http+unix://x/y", "https://",
        "https:///x",
        "http://example.com:0", "http://example.com:65536", "http://example.com:99999", "http://example.com:-1",
        "http://example.com:+1", "http://example.com:9223372036854775808", "http://example.com:18446744073709551616/x",
        "http://[::1]:99999", "http://[::1", "http://[fe80::1%25eth0]/", "http://user@example.com",
        "http://:pw@example.com",
        "http://example.com/#a", "http://exa%6dple.com", "http://a b.com",
    ])
    func `Any other is refused, since a library may end the process at it`(text: String) {
        #expect(PeerAddress(text) == nil)
    }
}
