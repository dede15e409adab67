import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates

/// A line of an order, on its page and its invoice.
struct AdminOrderLine: TemplateValues {
    let name, optionsText, sku, unitPriceText: String
    let quantity: Int
    let refundedText: String?
    let discountText, lineTotalText, taxText: String
}

/// A row below the lines of an order.
struct AdminOrderSum: TemplateValues {
    let label, value: String
    let isTotal: Bool
}

/// Creates the values of an order's page.
struct AdminOrderParts {
    let admin: AdminVisit
    let managed: ManagedOrder

    private var order: Order { managed.order }

    func values(version: Int, conflict: AdminOrderValues.Conflict?) -> AdminOrderValues {
        let mayWrite = admin.may(.writeOrders)
        let wasSent = order.history.contains { $0.status == .fulfilled }
        let canFulfil = mayWrite && OrderMachine.allows(order, to: .fulfilled)
        let canDeliver = mayWrite && OrderMachine.allows(order, to: .delivered)
        let canRefund = admin.may(.refundOrders) && managed.refundable.amount.amount > 0
        // A pending order may turn out to be paid, so its payment must be settled first.
        let canCancel = mayWrite && order.status != .pending && OrderMachine.allows(order, to: .cancelled)
        // Before the order is sent, the form to send it includes tracking.
        let hasTracking = order.tracking != nil || mayWrite && wasSent
        return AdminOrderValues(
            order: head(version), conflict: conflict, lines: lines, sums: sums,
            currency: order.totals.total.currency.code, canFulfil: canFulfil, canDeliver: canDeliver,
            canTrack: canFulfil || mayWrite && wasSent, canRefund: canRefund, canCancel: canCancel,
            canWriteNotes: mayWrite, fulfilText: fulfilText, sentText: sentText, cancelText: cancelText,
            carriers: ["DHL", "DPD", "GLS", "UPS", "Post"], hasTracking: hasTracking, tracking: typedTracking,
            stored: order.tracking.map(stored),
            refundable: .init(amountText: admin.price(managed.refundable.amount), lines: refundableLines),
            refund: .init(
                lines: refundForm("lines", isFirst: true), rest: refundForm("rest"),
                amount: refundForm("amount", typed: admin.visit.enteredValue("amount"))),
            customer: customer, delivery: admin.delivery(of: order), payment: payment,
            refunds: managed.refunds.map(refund), history: order.history.map(event), notes: managed.notes.map(note),
            noteText: admin.visit.enteredValue("text"))
    }

    // MARK: What can be done

    private var refundableLines: [AdminOrderValues.RefundableLine] {
        // Another member may have refunded a line since the form was opened, so its rows may differ from these.
        let typed = admin.visit.form?.rows(of: "lines", atMost: ModelLimits.lines) ?? []
        // The index is the line's index in the order, which refunds do not change.
        return order.lines.enumerated().compactMap { index, bought -> AdminOrderValues.RefundableLine? in
            guard let line = managed.refundable.lines.first(where: { $0.sku == bought.sku }) else { return nil }
            return .init(
                index: index, sku: line.sku, name: bought.name, optionsText: bought.options.optionsText,
                quantity: line.quantity, amountText: admin.price(line.amount),
                chosen: typed.first { $0["sku"] == line.sku }?["quantity"] ?? "0")
        }
    }

    /// The values of a refund form. The submitted form is open and shows its entries.
    ///
    /// - Parameter isFirst: whether the form is open if none was submitted.
    private func refundForm(
        _ scope: String, isFirst: Bool = false, typed: String? = nil
    ) -> AdminOrderValues.RefundForms.Form {
        let sent = admin.visit.form?["scope"]
        return .init(
            isOpen: sent.map { $0 == scope } ?? isFirst,
            reason: sent == scope ? admin.visit.enteredValue("reason") : "",
            typed: typed)
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

    private var typedTracking: AdminOrderValues.Tracking {
        let stored = order.tracking
        return .init(
            carrier: admin.visit.enteredValue("tracking.carrier", default: stored?.carrier),
            number: admin.visit.enteredValue("tracking.number", default: stored?.number),
            url: admin.visit.enteredValue("tracking.url", default: stored?.url))
    }

    private func stored(_ tracking: Tracking) -> AdminOrderValues.Tracking {
        .init(carrier: tracking.carrier, number: tracking.number, url: tracking.url?.ifNotEmpty)
    }

    // MARK: The order

    private func head(_ version: Int) -> AdminOrderValues.Order {
        .init(
            id: order.id, number: order.number, version: version, status: order.status.adminStatus,
            placedAt: admin.machineTime(order.createdAt), placedText: admin.time(order.createdAt),
            holdText: managed.holdExpiresAt.map { "the units are held until \(admin.time($0))" },
            deliveryFailure: order.deliveryFailure == nil
                ? nil
                : .init(
                    title: "No kangaroo accepted the order.",
                    text: "The customer was asked to choose another delivery method."))
    }

    var lines: [AdminOrderLine] {
        order.lines.map { line in
            AdminOrderLine(
                name: line.name, optionsText: line.options.optionsText, sku: line.sku,
                unitPriceText: admin.price(line.unitPrice), quantity: line.quantity,
                refundedText: line.refundedQuantity > 0 ? "\(line.refundedQuantity) refunded" : nil,
                discountText: admin.deduction(line.discount) ?? "", lineTotalText: admin.price(line.lineTotal),
                taxText: admin.price(line.tax))
        }
    }

    var sums: [AdminOrderSum] {
        let totals = order.totals
        let discount = ["Discount", managed.discountCode].compactMap(\.self).joined(separator: " ")
        let method = order.shipping.map { admin.deliveryMethod($0.methodId) } ?? "Delivery"
        let sums: [(label: String, value: String?)] = [
            ("Products", admin.price(totals.items)), (discount, admin.deduction(totals.discount)),
            (method, admin.price(totals.shipping)),
            (totals.includesTax ? "Tax included" : "Tax", totals.tax.amount == 0 ? nil : admin.price(totals.tax)),
            ("Total", admin.price(totals.total)), ("Refunded", admin.deduction(order.payment.refunded)),
        ]
        return sums.compactMap { label, value in
            value.map { AdminOrderSum(label: label, value: $0, isTotal: label == "Total") }
        }
    }

    private var customer: AdminOrderValues.Customer? {
        if let profile = managed.customer {
            return .init(
                url: AdminPath.customer(profile.id), name: profile.name, email: profile.email,
                mobileNumber: profile.mobileNumber?.ifNotEmpty)
        }
        guard let name = order.shipping?.address.name ?? order.email else { return nil }
        return .init(url: nil, name: name, email: order.email?.ifNotEmpty, mobileNumber: nil)
    }

    private var payment: AdminOrderValues.Payment {
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
        return .init(
            id: payment.id, statusText: status, amountText: admin.price(payment.amount),
            refundedText: admin.deduction(payment.refunded))
    }

    private func refund(_ refund: Refund) -> AdminOrderValues.Refund {
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
        return .init(
            amountText: admin.price(refund.amount), status: tone.status(status),
            createdText: admin.time(refund.createdAt), linesText: lines?.joined(separator: ", ").ifNotEmpty,
            reason: refund.reason?.ifNotEmpty)
    }

    private func event(_ event: Order.Event) -> AdminOrderValues.Event {
        .init(
            text: event.status == .pending ? "Placed" : event.status.adminStatus.text, at: admin.machineTime(event.at),
            atText: admin.time(event.at))
    }

    private func note(_ note: OrderNote) -> AdminOrderValues.Note {
        .init(
            text: note.text, author: note.author ?? "a former member", createdAt: admin.machineTime(note.createdAt),
            createdText: admin.time(note.createdAt))
    }
}

extension AdminVisit {
    /// The delivery of an order; nil if the address was deleted.
    func delivery(of order: Order) -> AdminOrderValues.Delivery? {
        guard let shipping = order.shipping else { return nil }
        return .init(
            methodText: deliveryMethod(shipping.methodId), addressLines: shipping.address.lines(),
            handover: site.handoverPlace(of: order).map { "Handover at \($0)." },
            phone: shipping.address.phone?.ifNotEmpty,
            rideText: order.rideId.map { "By kangaroo: ride \($0)." })
    }
}
