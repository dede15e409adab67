import Foundation
import PouchEntities

/// The addresses to which a shop sends requests on behalf of its staff. Requests to other addresses would give staff
/// access to the shop's own network.
public struct WebhookAddressRule: Sendable {
    /// Whether http and the addresses of private networks are allowed, as for tests.
    public let allowsPrivate: Bool

    public init(allowsPrivate: Bool) {
        self.allowsPrivate = allowsPrivate
    }

    /// Whether a request may go to the address that a name was resolved to.
    public func allows(_ address: NetworkAddress) -> Bool { allowsPrivate || address.isPublic }

    /// The name or address of the host, without brackets; nil for one with other characters, such as escapes, which an
    /// HTTP library could read as another host.
    public static func host(of url: URL) -> String? {
        guard let host = url.host()?.trimmingCharacters(in: ["[", "]"]) else { return nil }
        let isName = host.contains(#/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9.])?$/#)
        return isName || host.contains(":") && NetworkAddress(host) != nil && !host.contains("%") ? host : nil
    }

    /// - Throws: `DomainError.invalid`. A name is resolved for each request only.
    func check(_ text: String) throws(DomainError) {
        func refuse(_ detail: String) -> DomainError { .invalid("url", .invalid, detail) }
        guard ModelLimits.webhookURLLength.contains(text.count), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = Self.host(of: url)
        else { throw refuse("This is not the address of a web server, such as https://example.com/pouch.") }
        guard url.user == nil, url.password == nil, url.fragment == nil else {
            throw refuse("The address must have no user, password or fragment.")
        }
        guard !allowsPrivate else { return }
        guard scheme == "https" else { throw refuse("The address must begin with https://.") }
        let name = host.lowercased().trimmingCharacters(in: ["."])
        let isLocal = name == "localhost" || name.hasSuffix(".localhost")
        guard !isLocal, NetworkAddress(host)?.isPublic ?? true else {
            throw refuse("The address must be in the public network.")
        }
    }
}
