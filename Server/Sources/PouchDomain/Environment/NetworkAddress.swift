import Foundation
import PouchJSON

/// An IP address of a client or a proxy.
///
///     NetworkAddress("::ffff:192.0.2.1")?.description   // 192.0.2.1
public struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 16 bytes; an IPv4 address is mapped to IPv6 (RFC 4291 §2.5.5.2), so that both notations are equal.
    fileprivate let bytes: [UInt8]

    private static let prefixOfIPv4: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]

    /// - Returns: nil unless the text is an IPv4 or IPv6 address. The zone of a link-local address, such as `%eth0`, is
    ///   ignored.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(parts[0])
        var (v4, v6) = (in_addr(), in6_addr())
        if parts.count == 1, inet_pton(AF_INET, text, &v4) == 1 {
            bytes = Self.prefixOfIPv4 + withUnsafeBytes(of: &v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: &v6) { Array($0) }
            guard parts.count == 1 || bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 else { return nil }
        } else {
            return nil
        }
    }

    fileprivate init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    fileprivate var isIPv4: Bool { bytes.starts(with: Self.prefixOfIPv4) }

    /// Whether the address belongs to this machine: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { isIPv4 ? bytes[12] == 127 : description == "::1" }

    /// Whether the host, a name or an address, can only be reached by programs on this machine.
    package static func isOfThisMachine(_ host: String) -> Bool {
        let name = host.trimmingCharacters(in: ["[", "]"])
        return name.lowercased() == "localhost" || NetworkAddress(name)?.isLoopback == true
    }

    /// Whether it is a unicast address of the public Internet, and does not belong to a private network, this machine,
    /// a link, a group, documentation or a tunnel (RFC 6890, RFC 6052, RFC 3056).
    public var isPublic: Bool { !Self.special.contains { $0.contains(self) } && (isIPv4 || Self.global.contains(self)) }

    private static let global = NetworkRange(bytes: [0x20], bits: 3)
    private static let special: [NetworkRange] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        // Within the global unicast addresses of IPv6; other addresses are never public. 2002::/16 and 2001::/32
        // contain IPv4 addresses.
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    ].compactMap { NetworkRange($0) }

    /// The smallest network of a customer, for which attempts and requests are counted: the whole IPv4 address, or the
    /// first 64 bits of an IPv6 address. `NetworkShare` also counts the wider networks.
    public var network: String {
        isIPv4 ? description : ByteAlphabet.base16.text(bytes.prefix(8))
    }

    public var description: String {
        if isIPv4 { return bytes.suffix(4).map(String.init).joined(separator: ".") }
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: bytes) }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A network for which a client's attempts count, and its part of a limit.
///
/// A provider assigns a customer one 64-bit IPv6 network, or up to 65,536 of them. So a client counts for its networks
/// of 64, 56 and 48 bits. The wider networks, which may contain several customers, may have two and three times as
/// much.
public struct NetworkShare: Sendable, Hashable {
    public let network: String
    /// The factor by which the network's limit exceeds that of a small one.
    public let factor: Int

    /// - Parameter network: the client's network, as in `NetworkAddress.network`.
    /// - Returns: the networks, smallest first; one for an IPv4 address.
    public static func all(of network: String) -> [NetworkShare] {
        let own = NetworkShare(network: network, factor: 1)
        guard network.utf8.count == 16 else { return [own] }
        return [
            own, NetworkShare(network: String(network.prefix(14)), factor: 2),
            NetworkShare(network: String(network.prefix(12)), factor: 3),
        ]
    }

    /// The widest network of a client.
    public static func widest(of network: String) -> String {
        network.utf8.count == 16 ? String(network.prefix(12)) : network
    }
}

/// A range of addresses in CIDR notation, such as `10.0.0.0/8` or `::1`.
public struct NetworkRange: Sendable, Equatable {
    private let address: NetworkAddress
    /// The number of leading bits of the 16 bytes that an address must share.
    private let bits: Int

    /// - Parameter bytes: the first bytes of an IPv6 address; the others are 0.
    fileprivate init(bytes: [UInt8], bits: Int) {
        address = NetworkAddress(bytes: bytes + Array(repeating: 0, count: 16 - bytes.count))
        self.bits = bits
    }

    /// - Returns: nil unless the text is an address, or an address, a slash and a number of bits.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(parts[0]) else { return nil }
        self.address = address
        let isIPv4 = !parts[0].contains(":")
        guard parts.count == 2 else {
            bits = 128
            return
        }
        guard let bits = Int(parts[1]), (0...(isIPv4 ? 32 : 128)).contains(bits) else { return nil }
        self.bits = isIPv4 ? bits + 96 : bits
    }

    public func contains(_ other: NetworkAddress) -> Bool {
        // A short IPv6 range may cover the prefix of IPv4 addresses, but does not mean them.
        guard address.isIPv4 == other.isIPv4 else { return false }
        let (whole, rest) = (bits / 8, bits % 8)
        guard address.bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        return rest == 0 || (address.bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }
}

/// The address of another server that receives requests from this one, such as a webhook receiver, a payment provider
/// or a trace collector.
///
///     PeerAddress("https://example.com/pouch")?.host   // example.com
///     PeerAddress("https://example.com:99999")         // nil
///
/// An HTTP library may end the process at a port that does not exist, so clients are created only from this type.
public struct PeerAddress: Sendable, Hashable {
    public static let ports = 1...65_535

    public let url: URL
    /// The name or address of the host, without brackets.
    public let host: String
    public let isEncrypted: Bool

    /// - Returns: nil unless the address has http or https, a host, and either no port or one from 1 to 65,535. It must
    ///   not have a user, a password or a fragment, which a request cannot have either.
    public init?(_ text: String) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = Self.host(of: url), url.user == nil, url.password == nil, url.fragment == nil,
            Self.hasPossiblePort(url)
        else { return nil }
        self.url = url
        self.host = host
        isEncrypted = scheme == "https"
    }

    /// - Returns: nil for a host with other characters, such as escapes, which a library could interpret as another
    ///   host.
    private static func host(of url: URL) -> String? {
        guard let host = url.host()?.trimmingCharacters(in: ["[", "]"]) else { return nil }
        let isName = host.contains(#/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9.])?$/#)
        return isName || host.contains(":") && NetworkAddress(host) != nil && !host.contains("%") ? host : nil
    }

    /// Foundation reports no port for a number beyond 64 bits, as for an address without a port.
    private static func hasPossiblePort(_ url: URL) -> Bool {
        if let port = url.port { return ports.contains(port) }
        let authority = url.absoluteString.drop { $0 != "/" }.dropFirst(2).prefix { !"/?".contains($0) }
        return !authority.contains(#/:[0-9]+$/#)
    }
}
