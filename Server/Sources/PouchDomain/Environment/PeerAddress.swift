import Foundation

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
