import PouchEntities

/// Computes the amount of a refund.
///
/// The first `n` units of a line are worth `n` times the amount paid for it divided by its quantity, rounded. So
/// refunding units one by one adds up to refunding them together, and all lines with the shipping add up to the order's
/// total. After a full refund, the taxes of the refunds add up to the order's.
public struct RefundCalculator: Sendable {
    private let order: Order
    private let remaining: Money
    private let remainingTax: Money
    private let pricesIncludeTax: Bool

    /// - Parameter refundedTax: the tax of earlier refunds.
    /// - Throws: `MoneyError`.
    public init(order: Order, refundedTax: Money) throws {
        self.order = order
        switch order.payment.status {
        case .captured, .partiallyRefunded:
            remaining = try order.payment.amount.subtracting(order.payment.refunded)
        case .pending, .failed, .refunded, .unrecognised:
            remaining = .zero(order.payment.amount.currency)
        }
        remainingTax = try order.totals.tax.subtracting(refundedTax)
        let totals = order.totals
        pricesIncludeTax = try totals.items.subtracting(totals.discount).adding(totals.shipping) == totals.total
    }

    /// - Throws: `DomainError.refundExceedsCapture` when the amount exceeds the rest of the charge, or there is no
    ///   rest; `.invalid` for an amount that is not positive, an unknown line, or more units than a line has left;
    ///   `MoneyError`.
    public func refund(_ scope: RefundScope) throws -> RefundShare {
        // Before the charge is captured, even free units are not refunded.
        guard [.captured, .partiallyRefunded, .refunded].contains(order.payment.status) else {
            throw DomainError.refundExceedsCapture
        }
        switch scope {
        case .rest:
            guard remaining.amount > 0 else { throw DomainError.refundExceedsCapture }
            return try refund(remaining, tax: remainingTax, quantities: order.lines.map(\.quantity))
        case .amount(let amount):
            guard amount.currency == remaining.currency, amount.amount > 0 else {
                throw DomainError.invalid(
                    "amount", .outOfRange, "The amount must be above 0, in \(remaining.currency.code).")
            }
            guard amount.amount <= remaining.amount else { throw DomainError.refundExceedsCapture }
            return try refund(
                amount, tax: try remainingTax.share(amount.amount, of: remaining.amount),
                quantities: order.lines.map(\.refundedQuantity))
        case .lines(let units):
            return try refund(units)
        }
    }

    private func refund(_ units: [StockUnits]) throws -> RefundShare {
        let quantities = try quantities(after: units)
        var amount = Money.zero(remaining.currency)
        var tax = amount
        for (line, quantity) in zip(order.lines, quantities) where quantity > line.refundedQuantity {
            let net = try line.lineTotal.subtracting(line.discount)
            let paid = pricesIncludeTax ? net : try net.adding(line.tax)
            amount = try amount.adding(try share(of: paid, line, upTo: quantity))
            tax = try tax.adding(try share(of: line.tax, line, upTo: quantity))
        }
        return try refund(amount, tax: tax, quantities: quantities)
    }

    /// The refunded units of each line, after the given ones.
    private func quantities(after units: [StockUnits]) throws(DomainError) -> [Int] {
        guard !units.isEmpty else {
            throw .invalid("lines", .outOfRange, "Choose at least one line to refund.")
        }
        var quantities = order.lines.map(\.refundedQuantity)
        let positions = order.lines.enumerated().byKey { ($0.element.sku, $0.offset) }
        for (index, unit) in units.enumerated() {
            guard let position = positions[unit.sku] else {
                throw .invalid("lines.\(index).sku", .invalid, "The order does not contain this SKU.")
            }
            let left = order.lines[position].quantity - quantities[position]
            guard unit.quantity >= 1, unit.quantity <= left else {
                throw .invalid(
                    "lines.\(index).quantity", .outOfRange,
                    left < 1 ? "No units are left to refund." : "The quantity must be from 1 to \(left).")
            }
            quantities[position] += unit.quantity
        }
        return quantities
    }

    /// The value of the units from those already refunded up to `quantity`.
    private func share(of paid: Money, _ line: OrderLine, upTo quantity: Int) throws(MoneyError) -> Money {
        let whole = Int64(line.quantity)
        return try paid.share(Int64(quantity), of: whole).subtracting(
            try paid.share(Int64(line.refundedQuantity), of: whole))
    }

    /// Refunds of lines and of amounts may alternate, so the tax is limited to its rest, and the rest of the amount
    /// stays large enough for the rest of the tax.
    private func refund(_ amount: Money, tax: Money, quantities: [Int]) throws -> RefundShare {
        let rest = try remaining.subtracting(amount)
        guard rest.amount >= 0 else { throw DomainError.refundExceedsCapture }
        let least = try remainingTax.subtracting(rest).amount
        return RefundShare(
            amount: amount,
            tax: Money(max(min(tax.amount, remainingTax.amount), least, 0), amount.currency),
            refundedQuantities: quantities)
    }
}

/// The result for one refund.
public struct RefundShare: Sendable, Equatable {
    /// The amount with its tax; 0 for free units.
    public let amount: Money
    /// The part of the amount that is tax.
    public let tax: Money
    /// The refunded units of each order line after this refund.
    public let refundedQuantities: [Int]
}
