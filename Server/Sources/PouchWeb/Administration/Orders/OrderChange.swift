import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// The latest change to an order by a staff member or an API key.
struct OrderChange: Sendable {
    let name: String
    let action: String
    let at: Date

    /// - Returns: the change; nil if only the customer or the shop itself has changed the order.
    static func latest(of order: Order, in repositories: any Repositories) throws -> OrderChange? {
        let entries = try actions.keys.flatMap { endpoint in
            let object = endpoint.template.path(["id": order.id])
            return try repositories.audit.entries(
                AuditSelection(object: object), after: nil, limit: 1)
        }
        return entries.max { $0.id < $1.id }.map { entry in
            let action = actions.first { $0.key.name == entry.action }?.value
            return OrderChange(
                name: entry.actorName ?? "A former member", action: action ?? "changed it", at: entry.at)
        }
    }

    private static let actions: [Endpoint: String] = [
        Contract.fulfilOrder.endpoint: "marked it as sent",
        Contract.deliverOrder.endpoint: "marked it as delivered",
        Contract.cancelManagedOrder.endpoint: "cancelled it",
        Contract.refundOrder.endpoint: "refunded part of it",
        Contract.updateOrder.endpoint: "changed the tracking",
    ]
}
