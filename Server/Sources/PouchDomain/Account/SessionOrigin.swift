import Foundation

/// The network and the client that used a session, as the account's owner sees them.
public struct SessionOrigin: Sendable, Equatable {
    /// The maximum length of a stored user agent, in characters.
    public static let longestUserAgent = 200

    /// An IPv4 address, or an IPv6 network such as `2001:db8:0:0::/64`; nil if unknown.
    public let network: String?
    /// The user agent without control characters, which could control a terminal; nil if the client sends none.
    public let userAgent: String?

    /// - Parameters:
    ///   - network: the network, as in `NetworkAddress.network`.
    ///   - userAgent: the user agent as sent by the client.
    public init(network: String, userAgent: String?) {
        self.network = Self.text(ofNetwork: network)
        self.userAgent = userAgent.flatMap(Self.cleaned)
    }

    /// Creates an origin from its stored values.
    public init(storedNetwork: String?, userAgent: String?) {
        network = storedNetwork
        self.userAgent = userAgent
    }

    private static func text(ofNetwork network: String) -> String? {
        guard !network.isEmpty, network.utf8.count == 16, network.allSatisfy(\.isHexDigit) else {
            return network.isEmpty ? nil : network
        }
        let digits = Array(network)
        let groups = stride(from: 0, to: 16, by: 4).map { start in
            String(Int(String(digits[start..<start + 4]), radix: 16) ?? 0, radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }

    private static func cleaned(_ userAgent: String) -> String? {
        var text = String.UnicodeScalarView()
        for scalar in userAgent.unicodeScalars where text.count < longestUserAgent {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned,
                .nonspacingMark, .enclosingMark:
                continue
            default: text.append(scalar)
            }
        }
        let trimmed = String(text).trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : trimmed
    }
}
