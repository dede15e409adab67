import Foundation
import PouchDomain
import PouchEntities

/// Formats the contents of e-mails as the values of their templates.
struct MailFormatter {
    /// The line width of plain text, in characters.
    static let width = 64

    let timeZone: TimeZone

    /// - Parameters:
    ///   - kind: the kind of e-mail; one about a parcel lists only the units in it.
    ///   - shop: the name of the shop.
    ///   - url: the shop's address.
    ///   - link: the address of the e-mail's link; nil for an e-mail without one.
    func values(_ kind: MailKind, _ content: MailContent, shop: String, url: String, link: String?) -> MailValues {
        MailValues(
            shop: MailValues.Shop(name: text(shop), url: url), name: content.name.map(text), link: link,
            linkExpiry: content.link.map { time($0.expiresAt) },
            order: content.order.map { order($0, isParcel: kind.isAboutParcel) },
            refund: content.refund.map { refund($0, of: content.order) },
            invitation: content.invitation.map { invitation in
                MailValues.Invitation(role: text(invitation.role), invitedBy: invitation.invitedBy.map(text))
            },
            passwordChange: content.passwordChange.map { change in
                MailValues.PasswordChange(time: time(change.at), isReset: change.isReset)
            },
            signIn: content.signIn.map { signIn in
                MailValues.SignIn(
                    time: time(signIn.at), address: text(signIn.address), agent: signIn.agent.map(text))
            },
            webhook: content.webhook.map { webhook in
                MailValues.Webhook(
                    id: text(webhook.id), url: text(webhook.url), failure: text(webhook.failure),
                    since: time(webhook.failingSince))
            })
    }

    // MARK: Orders

    /// - Parameter isParcel: whether to list only the units that were not refunded.
    private func order(_ order: Order, isParcel: Bool) -> MailValues.Order {
        let refunded = order.payment.refunded
        let left = Money(order.totals.total.amount - refunded.amount, order.totals.total.currency)
        let hasRefund = refunded.amount > 0
        let isPaid = [.captured, .partiallyRefunded, .refunded].contains(order.payment.status)
        let units = order.lines.map { (line: $0, quantity: $0.quantity - (isParcel ? $0.refundedQuantity : 0)) }
        // The units of a parcel may be fewer, so they do not add up to the sums of the whole order.
        var sums = isParcel && hasRefund ? [] : self.sums(order.totals)
        if hasRefund { sums += [sum("Order total", order.totals.total), sum("Refunded", refunded, isMinus: true)] }
        let total = money(left)
        let totalLabel = hasRefund ? "Total after refunds" : "Total"
        return MailValues.Order(
            number: text(order.number), time: time(order.createdAt),
            items: units.filter { $0.quantity > 0 }.map { item($0.line, $0.quantity) }, sums: sums, total: total,
            totalLabel: totalLabel, totalRow: row(totalLabel, total), isPaid: isPaid,
            refundDue: isPaid && left.amount > 0 ? total : nil, address: order.shipping.map { address($0.address) },
            tracking: order.tracking.map { tracking in
                MailValues.Order.Tracking(
                    carrier: text(tracking.carrier), number: text(tracking.number), url: tracking.url.map(text))
            },
            isByKangaroo: order.shipping?.methodId == ShippingMethod.courierId)
    }

    private func item(_ line: OrderLine, _ quantity: Int) -> MailValues.Order.Item {
        let total = money(Money(line.unitPrice.amount * Int64(quantity), line.unitPrice.currency))
        return MailValues.Order.Item(
            name: text(line.name), quantity: "\(quantity)", sku: text(line.sku), options: options(line),
            unitPrice: money(line.unitPrice), total: total, row: row(label(quantity, of: line), total))
    }

    /// The amounts between the items and the total.
    private func sums(_ totals: Totals) -> [MailValues.Order.Sum] {
        let tax = totals.includesTax ? "Tax included" : "Tax"
        let sums: [(label: String, amount: Money, isMinus: Bool)] = [
            ("Items", totals.items, false), ("Discount", totals.discount, true), ("Shipping", totals.shipping, false),
            (tax, totals.tax, false),
        ]
        return sums.filter { $0.amount.amount != 0 }.map { sum($0.label, $0.amount, isMinus: $0.isMinus) }
    }

    private func sum(_ label: String, _ amount: Money, isMinus: Bool = false) -> MailValues.Order.Sum {
        let amount = (isMinus ? "−" : "") + money(amount)
        return MailValues.Order.Sum(label: label, amount: amount, row: row(label, amount))
    }

    private func address(_ address: Address) -> MailValues.Order.Address {
        MailValues.Order.Address(lines: address.lines().map { MailValues.Order.Address.Line(line: text($0)) })
    }

    /// - Parameter order: the order right after the refund.
    private func refund(_ refund: Refund, of order: Order?) -> MailValues.Refund {
        let quantities = Dictionary((refund.lines ?? []).map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        let items = (order?.lines ?? []).compactMap { line -> MailValues.Refund.Item? in
            guard let quantity = quantities[line.sku] else { return nil }
            return MailValues.Refund.Item(
                name: text(line.name), quantity: "\(quantity)", sku: text(line.sku), options: options(line),
                label: label(quantity, of: line))
        }
        let (amount, total) = (money(refund.amount), money(order?.payment.refunded ?? refund.amount))
        return MailValues.Refund(
            amount: amount, amountRow: row("This refund", amount), total: total,
            totalRow: row("Total refunded", total),
            isWhole: order.map { $0.payment.refunded == $0.payment.amount } ?? false, items: items,
            hasItems: !items.isEmpty)
    }

    // MARK: Units of a line

    private func options(_ line: OrderLine) -> String? {
        let options = line.options.sorted { $0.key < $1.key }.map { text($0.value) }.joined(separator: ", ")
        return options.isEmpty ? nil : options
    }

    private func label(_ quantity: Int, of line: OrderLine) -> String {
        "\(quantity) × \(text(line.name))" + (options(line).map { " (\($0))" } ?? "")
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
