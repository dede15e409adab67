import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP

/// The values of an order's page.
struct AdminOrderValues {
    let admin: AdminVisit
    let managed: ManagedOrder
    let version: Int

    private var order: Order { managed.order }

    var all: PageValues {
        var values: PageValues = [
            "order": head, "currency": order.totals.total.currency.code, "lines": lines, "sums": sums,
            "fulfilText": fulfilText, "sentText": sentText, "carriers": ["DHL", "DPD", "GLS", "UPS", "Post"],
            "payment": payment, "hasRefunds": !managed.refunds.isEmpty, "refunds": managed.refunds.map(refund),
            "history": order.history.map(event), "notes": managed.notes.map(note),
            "noteText": admin.visit.typed("text"), "customer": shown(customer),
            "delivery": shown(delivery), "tracking": typedTracking,
            "stored": shown(order.tracking.map(stored)), "cancelText": cancelText,
            "conflict": false,
        ]
        values.merge(rights) { $1 }
        values.merge(refundable) { $1 }
        return values
    }

    // MARK: What can be done

    private var rights: PageValues {
        let mayWrite = admin.may(.writeOrders)
        let wasSent = order.history.contains { $0.status == .fulfilled }
        return [
            "canFulfil": mayWrite && OrderMachine.allows(order, to: .fulfilled),
            "canDeliver": mayWrite && OrderMachine.allows(order, to: .delivered),
            "canTrack": mayWrite && (wasSent || OrderMachine.allows(order, to: .fulfilled)),
            // Before the order is sent, the tracking is entered with that.
            "hasTracking": order.tracking != nil || mayWrite && wasSent,
            "canRefund": admin.may(.refundOrders) && managed.refundable.amount.amount > 0,
            // A pending order may or may not be paid, so it is settled first.
            "canCancel": mayWrite && order.status != .pending && OrderMachine.allows(order, to: .cancelled),
            "canWriteNotes": mayWrite,
        ]
    }

    private var refundable: PageValues {
        let visit = admin.visit
        let left = managed.refundable
        // Another member may have refunded a line since the form was opened, so its rows may be others than those here.
        let typed = visit.form?.rows(of: "lines", atMost: ModelLimits.lines) ?? []
        // The index is that of the line in the order, which no refund changes.
        let lines = order.lines.enumerated().compactMap { index, bought -> PageValues? in
            guard let line = left.lines.first(where: { $0.sku == bought.sku }) else { return nil }
            return [
                "index": index, "sku": line.sku, "name": bought.name, "optionsText": admin.options(bought.options),
                "quantity": line.quantity, "amountText": admin.price(line.amount),
                "chosen": typed.first { $0["sku"] == line.sku }?["quantity"] ?? "0",
            ]
        }
        return [
            "refundable": ["amountText": admin.price(left.amount), "lines": lines] as PageValues,
            "hasRefundableLines": !lines.isEmpty,
            "refund": [
                "lines": refundForm("lines", isFirst: true), "rest": refundForm("rest"),
                "amount": refundForm("amount").merging(["typed": visit.typed("amount")]) { $1 },
            ] as PageValues,
        ]
    }

    /// One of the forms of refunds. What was typed is shown in the form that was sent, which is open then.
    ///
    /// - Parameter isFirst: whether it is open while none was sent.
    private func refundForm(_ scope: String, isFirst: Bool = false) -> PageValues {
        let sent = admin.visit.form?["scope"]
        return [
            "isOpen": sent.map { $0 == scope } ?? isFirst, "reason": sent == scope ? admin.visit.typed("reason") : "",
        ]
    }

    private var fulfilText: String {
        let units = order.lines.reduce(0) { $0 + $1.quantity - $1.refundedQuantity }
        let parcel = admin.count(units, "unit goes", "units go")
        guard let shipping = order.shipping else { return "\(parcel) out. The address was deleted." }
        let method = admin.deliveryMethod(shipping.methodId)
        return "\(parcel) to \(shipping.address.name) in \(shipping.address.city): \(method)."
    }

    private var sentText: String {
        order.history.last { $0.status == .fulfilled }.map { "Sent on \(admin.time($0.at))." } ?? ""
    }

    private var cancelText: String {
        let amount = admin.price(managed.refundable.amount)
        return "The customer is refunded \(amount), and the units return to stock. This cannot be undone."
    }

    private var typedTracking: PageValues {
        let stored = order.tracking
        return [
            "carrier": admin.visit.typed("tracking.carrier", or: stored?.carrier),
            "number": admin.visit.typed("tracking.number", or: stored?.number),
            "url": admin.visit.typed("tracking.url", or: stored?.url),
        ]
    }

    private func stored(_ tracking: Tracking) -> PageValues {
        [
            "carrier": tracking.carrier, "number": tracking.number, "url": shown(tracking.url),
        ]
    }

    // MARK: The order

    private var head: PageValues {
        [
            "id": order.id, "number": order.number, "version": version, "status": order.status.adminStatus,
            "placedAt": admin.machineTime(order.createdAt), "placedText": admin.time(order.createdAt),
            "holdText": shown(managed.holdExpiresAt.map { "the units are held until \(admin.time($0))" }),
            "deliveryFailure": shown(
                order.deliveryFailure.map { _ in
                    [
                        "title": "No kangaroo took the order.",
                        "text": "The customer was asked to choose another delivery method.",
                    ]
                }),
        ]
    }

    var lines: [PageValues] {
        order.lines.map { line in
            [
                "name": line.name, "optionsText": admin.options(line.options), "sku": line.sku,
                "unitPriceText": admin.price(line.unitPrice), "quantity": line.quantity,
                "refundedText": shown(line.refundedQuantity > 0 ? "\(line.refundedQuantity) refunded" : nil),
                "discountText": admin.deduction(line.discount) ?? "", "lineTotalText": admin.price(line.lineTotal),
                "taxText": admin.price(line.tax),
            ]
        }
    }

    var sums: [PageValues] {
        let totals = order.totals
        let discount = ["Discount", managed.discountCode].compactMap(\.self).joined(separator: " ")
        let method = order.shipping.map { admin.deliveryMethod($0.methodId) } ?? "Delivery"
        let sums: [(label: String, value: String?)] = [
            ("Products", admin.price(totals.items)), (discount, admin.deduction(totals.discount)),
            (method, admin.price(totals.shipping)),
            (totals.includesTax ? "Tax included" : "Tax", admin.price(totals.tax)),
            ("Total", admin.price(totals.total)), ("Refunded", admin.deduction(order.payment.refunded)),
        ]
        return sums.compactMap { label, value in
            value.map { ["label": label, "value": $0, "isTotal": label == "Total"] }
        }
    }

    /// A guest has no page of its own; nil after the account was deleted.
    private var customer: PageValues? {
        if let profile = managed.customer {
            return [
                "url": AdminPath.customer(profile.id), "name": profile.name, "email": profile.email,
                "mobileNumber": shown(profile.mobileNumber),
            ]
        }
        guard let name = order.shipping?.address.name ?? order.email else { return nil }
        return ["url": false, "name": name, "email": shown(order.email), "mobileNumber": false]
    }

    private var delivery: PageValues? {
        guard let shipping = order.shipping else { return nil }
        return [
            "methodText": admin.deliveryMethod(shipping.methodId),
            "addressLines": shipping.address.lines(),
            "handoverText": shown(order.handoverPlace.map { "Handed over at \($0)." }),
            "phone": shown(shipping.address.phone),
            "rideText": shown(order.rideId.map { "A kangaroo carries it: ride \($0)." }),
        ]
    }

    private var payment: PageValues {
        let payment = order.payment
        let status =
            switch payment.status {
            case .pending: "Payment pending"
            case .captured: "Paid"
            case .failed: "Payment failed"
            case .partiallyRefunded: "Paid, partly refunded"
            case .refunded: "Paid and refunded"
            case .unrecognised: "Unknown"
            }
        return [
            "id": payment.id, "statusText": status, "amountText": admin.price(payment.amount),
            "refundedText": shown(admin.deduction(payment.refunded)),
        ]
    }

    private func refund(_ refund: Refund) -> PageValues {
        let (tone, status): (StatusTone, String) =
            switch refund.status {
            case .pending: (.warn, "Pending")
            case .succeeded: (.good, "Succeeded")
            case .failed: (.bad, "Failed")
            case .unrecognised: (.plain, "Unknown")
            }
        let lines = refund.lines?.map { line in
            "\(line.quantity) × \(order.lines.first { $0.sku == line.sku }?.name ?? line.sku)"
        }
        return [
            "amountText": admin.price(refund.amount), "status": tone.status(status),
            "createdText": admin.time(refund.createdAt),
            "linesText": shown(lines?.joined(separator: ", ")),
            "reason": shown(refund.reason),
        ]
    }

    private func event(_ event: Order.Event) -> PageValues {
        let text = event.status == .pending ? "Placed" : event.status.adminText
        return ["text": text, "at": admin.machineTime(event.at), "atText": admin.time(event.at)]
    }

    private func note(_ note: OrderNote) -> PageValues {
        [
            "text": note.text, "author": note.author ?? "a former member",
            "createdAt": admin.machineTime(note.createdAt), "createdText": admin.time(note.createdAt),
        ]
    }
}
