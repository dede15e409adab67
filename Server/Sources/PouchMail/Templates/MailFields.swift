import Foundation
import PouchDomain
import PouchEntities

/// The values that templates use, formatted for people.
///
/// Every text is on one line, so text from a buyer can neither imitate the shop's own text nor add a header.
struct MailFields {
    /// The line width of plain text, in characters.
    static let width = 64

    let timeZone: TimeZone

    /// - Parameters:
    ///   - kind: the kind of e-mail; one about a parcel lists only the units in it.
    ///   - shop: the name of the shop.
    ///   - url: the shop's address.
    ///   - link: the address of the e-mail's link; nil for an e-mail without one.
    func values(_ kind: MailKind, _ content: MailContent, shop: String, url: String, link: String?) -> [String: Any] {
        var values: [String: Any] = ["shop": ["name": text(shop), "url": url] as [String: Any]]
        values["name"] = content.name.map(text)
        values["order"] = content.order.map { order($0, isParcel: kind.isAboutParcel) }
        values["refund"] = content.refund.map { refund($0, of: content.order) }
        if let link {
            values["link"] = link
            values["linkExpiry"] = content.link.map { time($0.expiresAt) }
        }
        values["invitation"] = content.invitation.map { invitation in
            var values: [String: Any] = ["role": text(invitation.role)]
            values["invitedBy"] = invitation.invitedBy.map(text)
            return values
        }
        values["passwordChange"] = content.passwordChange.map { change in
            ["time": time(change.at), "isReset": change.isReset] as [String: Any]
        }
        values["signIn"] = content.signIn.map { signIn in
            var values: [String: Any] = ["time": time(signIn.at), "address": text(signIn.address)]
            values["agent"] = signIn.agent.map(text)
            return values
        }
        values["webhook"] = content.webhook.map { webhook in
            [
                "id": text(webhook.id), "url": text(webhook.url), "failure": text(webhook.failure),
                "since": time(webhook.failingSince),
            ] as [String: Any]
        }
        return values
    }

    // MARK: Orders

    /// - Parameter isParcel: whether to list only the units that were not refunded.
    private func order(_ order: Order, isParcel: Bool) -> [String: Any] {
        let refunded = order.payment.refunded
        let left = Money(order.totals.total.amount - refunded.amount, order.totals.total.currency)
        let hasRefund = refunded.amount > 0
        let isPaid = [.captured, .partiallyRefunded, .refunded].contains(order.payment.status)
        let units = order.lines.map { (line: $0, quantity: $0.quantity - (isParcel ? $0.refundedQuantity : 0)) }
        // The units of a parcel may be fewer, so they do not add up to the sums of the whole order.
        var sums = isParcel && hasRefund ? [] : self.sums(order.totals)
        if hasRefund { sums += [sum("Order total", order.totals.total), sum("Refunded", refunded, isMinus: true)] }
        let totalLabel = hasRefund ? "Total after refunds" : "Total"
        var values: [String: Any] = [
            "number": text(order.number),
            "time": time(order.createdAt),
            "items": units.filter { $0.quantity > 0 }.map { item($0.line, $0.quantity) },
            "total": money(left),
            "totalLabel": totalLabel,
            "totalRow": row(totalLabel, money(left)),
            "sums": sums,
            "isPaid": isPaid,
        ]
        if isPaid, left.amount > 0 { values["refundDue"] = money(left) }
        values["address"] = order.shipping.map { shipping -> [String: Any] in
            ["lines": shipping.address.lines().map { ["line": text($0)] }]
        }
        values["tracking"] = order.tracking.map { tracking in
            var values: [String: Any] = ["carrier": text(tracking.carrier), "number": text(tracking.number)]
            values["url"] = tracking.url.map(text)
            return values
        }
        values["isByKangaroo"] = order.shipping?.methodId == ShippingMethod.courierId
        return values
    }

    private func item(_ line: OrderLine, _ quantity: Int) -> [String: Any] {
        let units = units(quantity, of: line)
        let total = money(Money(line.unitPrice.amount * Int64(quantity), line.unitPrice.currency))
        let prices: [String: Any] = [
            "unitPrice": money(line.unitPrice), "total": total, "row": row(units.label, total),
        ]
        return units.values.merging(prices) { $1 }
    }

    /// The values and the label of some units of a line.
    private func units(_ quantity: Int, of line: OrderLine) -> (values: [String: Any], label: String) {
        let options = line.options.sorted { $0.key < $1.key }.map { text($0.value) }.joined(separator: ", ")
        let name = text(line.name)
        var values: [String: Any] = ["name": name, "quantity": "\(quantity)", "sku": text(line.sku)]
        if !options.isEmpty { values["options"] = options }
        return (values, "\(quantity) × \(name)" + (options.isEmpty ? "" : " (\(options))"))
    }

    /// - Parameter order: the order right after the refund.
    private func refund(_ refund: Refund, of order: Order?) -> [String: Any] {
        let refunded = Dictionary((refund.lines ?? []).map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        let items = (order?.lines ?? []).compactMap { line -> [String: Any]? in
            guard let quantity = refunded[line.sku] else { return nil }
            let units = units(quantity, of: line)
            return units.values.merging(["label": units.label]) { $1 }
        }
        let (amount, total) = (money(refund.amount), money(order?.payment.refunded ?? refund.amount))
        return [
            "amount": amount, "amountRow": row("This refund", amount), "total": total,
            "totalRow": row("Total refunded", total),
            "isWhole": order.map { $0.payment.refunded == $0.payment.amount } ?? false,
            "items": items, "hasItems": !items.isEmpty,
        ]
    }

    /// The amounts between the items and the total.
    private func sums(_ totals: Totals) -> [[String: Any]] {
        let tax = totals.includesTax ? "Tax included" : "Tax"
        let sums: [(label: String, amount: Money, isMinus: Bool)] = [
            ("Items", totals.items, false), ("Discount", totals.discount, true), ("Shipping", totals.shipping, false),
            (tax, totals.tax, false),
        ]
        return sums.filter { $0.amount.amount != 0 }.map { sum($0.label, $0.amount, isMinus: $0.isMinus) }
    }

    private func sum(_ label: String, _ amount: Money, isMinus: Bool = false) -> [String: Any] {
        let amount = (isMinus ? "−" : "") + money(amount)
        return ["label": label, "amount": amount, "row": row(label, amount)]
    }

    // MARK: Texts

    private func text(_ text: String) -> String { text.visible.trimmingCharacters(in: .whitespaces) }

    /// An amount with its currency symbol and the currency's number of decimal places.
    private func money(_ money: Money) -> String {
        let major = Decimal(
            sign: money.amount < 0 ? .minus : .plus, exponent: -money.currency.exponent,
            significand: Decimal(money.amount.magnitude))
        return major.formatted(
            .currency(code: money.currency.code).precision(.fractionLength(money.currency.exponent)).locale(
                Locale(identifier: "en")))
    }

    private func time(_ time: Date) -> String {
        var style = Date.FormatStyle(locale: Locale(identifier: "en_GB"), timeZone: timeZone)
        style = style.day().month(.wide).year().hour(.twoDigits(amPM: .omitted)).minute().timeZone()
        return time.formatted(style)
    }

    /// A label at the left and an amount at the right of a line; a long label wraps over the lines before it.
    private func row(_ label: String, _ amount: String) -> String {
        var lines: [String] = [""]
        for word in label.split(separator: " ") {
            let last = lines[lines.count - 1]
            let room = Self.width - amount.count - 2
            if last.isEmpty || last.count + 1 + word.count <= room {
                lines[lines.count - 1] = last.isEmpty ? String(word) : last + " " + word
            } else {
                lines.append("    " + word)
            }
        }
        let last = lines[lines.count - 1]
        let gap = max(2, Self.width - last.count - amount.count)
        lines[lines.count - 1] = last + String(repeating: " ", count: gap) + amount
        return lines.joined(separator: "\n")
    }
}

extension MailKind {
    fileprivate var isAboutParcel: Bool {
        switch self {
        case .orderSent, .orderTrackingChanged, .orderDelivered: true
        default: false
        }
    }
}
