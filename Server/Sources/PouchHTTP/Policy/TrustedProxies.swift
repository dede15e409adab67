import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PouchDomain
import Synchronization

/// The proxies whose `X-Forwarded-For` is trusted.
public struct TrustedProxies: Sendable, Equatable {
    private let ranges: [NetworkRange]

    public init(_ ranges: [NetworkRange]) {
        self.ranges = ranges
    }

    public func contains(_ address: NetworkAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// The client's address: the last address on the way to this server that is not a trusted proxy's. A client can
    /// send any addresses before those that the proxies append, so none of these are trusted.
    ///
    /// - Parameters:
    ///   - peer: the address that the connection comes from.
    ///   - forwarded: the values of `X-Forwarded-For` in order, read only if the peer is trusted. An entry that is not
    ///     an address ends the search.
    func client(peer: NetworkAddress, forwarded: @autoclosure () -> [String]) -> NetworkAddress {
        guard contains(peer) else { return peer }
        var client = peer
        for entry in forwarded().joined(separator: ",").split(separator: ",").reversed() {
            guard contains(client), let next = Self.address(in: entry) else { break }
            client = next
        }
        return client
    }

    /// Some proxies append the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func address(in entry: Substring) -> NetworkAddress? {
        let text = entry.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("[") { return NetworkAddress(text.dropFirst().prefix { $0 != "]" }) }
        return NetworkAddress(text) ?? NetworkAddress(text.prefix { $0 != ":" })
    }
}

/// Finds the client's address, even behind trusted proxies.
struct ClientAddressMiddleware: RouterMiddleware {
    let addresses: ClientAddresses

    func handle(_ request: Request, context: PouchRequestContext, next: NextHandler) async throws -> Response {
        var context = context
        if let peer = context.client {
            let forwarded = request.headers[values: .forwardedFor]
            let client = addresses.client(peer: peer, forwarded: forwarded, context.logger)
            context.client = client
            context.logger[metadataKey: "client"] = "\(client)"
        }
        return try await next(request, context)
    }
}

/// The addresses of a server's clients.
final class ClientAddresses: Sendable {
    private let proxies: TrustedProxies
    private let hasWarned = Atomic(false)

    init(proxies: TrustedProxies) {
        self.proxies = proxies
    }

    /// - Parameters:
    ///   - peer: the address that the connection comes from.
    ///   - forwarded: the values of `X-Forwarded-For` in order.
    func client(peer: NetworkAddress, forwarded: [String], _ logger: Logger) -> NetworkAddress {
        guard !forwarded.isEmpty else { return peer }
        if !proxies.contains(peer) { warn(peer, logger) }
        return proxies.client(peer: peer, forwarded: forwarded)
    }

    /// Warns once, since anyone can send the header.
    private func warn(_ peer: NetworkAddress, _ logger: Logger) {
        guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            """
            ignoring X-Forwarded-For from an address that is not a trusted proxy; if it is your proxy, add it to \
            --trusted-proxies, or all its clients share the limits of one network
            """, metadata: ["proxy": "\(peer)"])
    }
}
