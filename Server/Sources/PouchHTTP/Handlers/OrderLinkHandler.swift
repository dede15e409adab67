import PouchContract
import PouchDomain
import PouchEntities

/// The order of a link in a mail, for every caller who has the link.
///
/// The token comes in the body, not in the path, so that no log of requests keeps it.
struct OrderLinkHandler {
    private let store: any ShopStore
    private let links: OrderLinks

    init(services: ShopServices) {
        store = services.store
        links = OrderLinks(services.environment, keyRing: services.keyRing)
    }

    func order(_ call: OpenCall<OrderLinkRequest>) async throws -> Order {
        let token = call.body.token
        return try await store.read { [links] in try links.order(token: token, in: $0).order }
    }
}
