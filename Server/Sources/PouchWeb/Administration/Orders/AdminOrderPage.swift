import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct AdminOrderValues: PageModel {
    struct Order: TemplateValues {
        let id, number: String
        /// The version of the order, which the forms send.
        let version: Int
        let status: StatusValues
        let placedAt, placedText: String
        let holdText: String?
        /// The failure; nil unless the customer has to choose another delivery method.
        let deliveryFailure: DeliveryFailure?
    }

    struct DeliveryFailure: TemplateValues {
        let title, text: String
    }

    /// The notice that the order was changed while the member had it open.
    struct Conflict: TemplateValues {
        let summary, text: String
    }

    struct Tracking: TemplateValues {
        let carrier, number: String
        let url: String?
    }

    struct Refundable: TemplateValues {
        let amountText: String
        let lines: [RefundableLine]
    }

    struct RefundableLine: TemplateValues {
        /// The index of the line in the order.
        let index: Int
        let sku, name, optionsText: String
        /// The number of units that were not refunded.
        let quantity: Int
        let amountText: String
        /// The number of units in the input.
        let chosen: String
    }

    struct RefundForms: TemplateValues {
        struct Form: TemplateValues {
            let isOpen: Bool
            let reason: String
            /// The amount in the input; nil for a form without one.
            let typed: String?
        }

        let lines, rest, amount: Form
    }

    struct Customer: TemplateValues {
        /// The address of the customer's page; nil for a guest.
        let url: String?
        let name: String
        let email, mobileNumber: String?
    }

    struct Delivery: TemplateValues {
        let methodText: String
        let addressLines: [String]
        let handover, phone, rideText: String?
    }

    struct Payment: TemplateValues {
        let id, statusText, amountText: String
        let refundedText: String?
    }

    struct Refund: TemplateValues {
        let amountText: String
        let status: StatusValues
        let createdText: String
        let linesText, reason: String?
    }

    struct Event: TemplateValues {
        let text, at, atText: String
    }

    struct Note: TemplateValues {
        let text, author, createdAt, createdText: String
    }

    let order: Order
    let conflict: Conflict?
    let lines: [AdminOrderLine]
    let sums: [AdminOrderSum]
    let currency: String
    /// The actions that the member can perform.
    let canFulfil, canDeliver, canTrack, canRefund, canCancel, canWriteNotes: Bool
    let fulfilText, sentText, cancelText: String
    let carriers: [String]
    let hasTracking: Bool
    /// The tracking in the inputs.
    let tracking: Tracking
    let stored: Tracking?
    let refundable: Refundable
    let refund: RefundForms
    /// The customer; nil if the account was deleted.
    let customer: Customer?
    /// The delivery; nil if the address was deleted.
    let delivery: Delivery?
    let payment: Payment
    let refunds: [Refund]
    let history: [Event]
    let notes: [Note]
    /// The text in the input.
    let noteText: String
}

/// The page of an order, with the forms to manage it.
struct AdminOrderPage {
    let admin: AdminVisit

    func content() async throws -> PageContent {
        let reference = try admin.visit.parameter("id")
        let administration = ShopAdministration(admin.site.environment)
        let isConflict = admin.visit.failure?.problem.code == .versionConflict
        let (managed, version, change) = try await admin.read { repositories in
            let (managed, version) = try administration.managedOrder(reference, in: repositories)
            let change = isConflict ? try OrderChange.latest(of: managed.order, in: repositories) : nil
            return (managed, version, change)
        }
        let parts = AdminOrderParts(admin: admin, managed: managed)
        let values = parts.values(version: version, conflict: isConflict ? conflict(managed.order, change) : nil)
        return PageContent(
            values, title: "Order \(managed.order.number)",
            failure: isConflict ? .none : .ofInputs(prefix: inputPrefix))
    }

    /// Describes the current state of the order. The member's form had no effect.
    private func conflict(_ order: Order, _ change: OrderChange?) -> AdminOrderValues.Conflict {
        let status = order.status.adminStatus.text
        let who =
            change.map { "\($0.name) \($0.action) on \(admin.time($0.at))." } ?? "The shop or the customer changed it."
        return .init(
            summary: "Order \(order.number) was changed while you had it open. Your change was not saved.",
            text: "\(who) Its status is now: \(status). Your entries are kept below; check them and save again.")
    }

    /// The prefix of the input ids in the submitted form. Several forms on the page have inputs with the same names.
    private var inputPrefix: String {
        if admin.visit.path.hasSuffix("/tracking") { return "t-" }
        switch admin.visit.form?["scope"] {
        case "amount": return "amount-"
        case "rest": return "rest-"
        default: return "f-"
        }
    }
}

/// The latest change to an order by a staff member or an API key.
struct OrderChange: Sendable {
    let name: String
    let action: String
    let at: Date

    /// - Returns: the change; nil if only the customer or the shop itself has changed the order.
    static func latest(of order: Order, in repositories: any Repositories) throws -> OrderChange? {
        let entries = try actions.keys.flatMap { endpoint in
            let object = endpoint.template.path(["id": order.id])
            return try repositories.audit.entries(AuditSelection(object: object), after: nil, limit: 1)
        }
        return entries.max { $0.id < $1.id }.map { entry in
            let action = actions.first { $0.key.name == entry.action }?.value
            return OrderChange(name: entry.actorName ?? "A former member", action: action ?? "changed it", at: entry.at)
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
