import Foundation

/// Scheme, host and port of a URL (RFC 6454), with the scheme's default port filled in.
public struct Origin: Sendable, Hashable {
    public let scheme: String
    public let host: String
    public let port: Int

    public init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host()?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
