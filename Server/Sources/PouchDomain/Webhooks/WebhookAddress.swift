import Foundation
import PouchEntities

/// The addresses to which a shop sends requests on behalf of its staff. Requests to other addresses would give staff
/// access to the shop's own network.
public struct WebhookAddressRule: Sendable {
    /// Whether http and addresses of private networks are allowed, for example in tests.
    public let allowsPrivate: Bool

    public init(allowsPrivate: Bool) {
        self.allowsPrivate = allowsPrivate
    }

    /// Whether a request may go to the address that a name resolved to.
    public func allows(_ address: NetworkAddress) -> Bool { allowsPrivate || address.isPublic }

    /// - Throws: `DomainError.invalid`. Names are resolved only for each request.
    func check(_ text: String) throws(DomainError) {
        func refuse(_ detail: String) -> DomainError { .invalid("url", .invalid, detail) }
        guard ModelLimits.webhookURLLength.contains(text.count), let address = PeerAddress(text) else {
            throw refuse(
                "Enter the address of a web server, such as https://example.com/pouch, without a user, password or "
                    + "fragment. A port must be from 1 to 65535.")
        }
        guard !allowsPrivate else { return }
        guard address.isEncrypted else { throw refuse("The address must begin with https://.") }
        let name = address.host.lowercased().trimmingCharacters(in: ["."])
        let isLocal = name == "localhost" || name.hasSuffix(".localhost")
        guard !isLocal, NetworkAddress(address.host)?.isPublic ?? true else {
            throw refuse("The address must be in the public network.")
        }
    }
}
