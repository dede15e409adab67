import SeededRandom
import ServerTesting
import Testing

/// A paid order, updated by each refund.
private struct Sold {
    var order: Order
    var refundedTax: Money

    init(_ priced: PricedOrder) {
        order = Order(
            id: "ord_1", number: "P-1", status: .paid,
            lines: priced.lines.map {
                OrderLine(
                    sku: $0.line.offer.sku, name: "", options: [:], quantity: $0.line.quantity,
                    unitPrice: $0.line.offer.price, lineTotal: $0.line.total, discount: $0.discount, tax: $0.tax,
                    refundedQuantity: 0)
            },
            totals: priced.totals,
            payment: Payment(
                id: "pay_1", status: .captured, amount: priced.totals.total,
                refunded: .zero(priced.totals.total.currency)),
            shipping: nil, email: nil, createdAt: Date(timeIntervalSince1970: 0), history: [])
        refundedTax = .zero(priced.totals.total.currency)
    }

    @discardableResult
    mutating func refund(_ scope: RefundScope) throws -> RefundShare {
        let refund = try RefundCalculator(order: order, refundedTax: refundedTax).refund(scope)
        let refunded = try order.payment.refunded.adding(refund.amount)
        refundedTax = try refundedTax.adding(refund.tax)
        order.lines = zip(order.lines, refund.refundedQuantities).map { line, quantity in
            OrderLine(
                sku: line.sku, name: line.name, options: line.options, quantity: line.quantity,
                unitPrice: line.unitPrice, lineTotal: line.lineTotal, discount: line.discount, tax: line.tax,
                refundedQuantity: quantity)
        }
        order.payment = Payment(
            id: order.payment.id, status: refunded == order.payment.amount ? .refunded : .partiallyRefunded,
            amount: order.payment.amount, refunded: refunded)
        return refund
    }
}

@Suite("The refund calculator")
struct RefundCalculatorTests {
    private func sold() throws -> Sold {
        let lines = [try PricedLine.sample("a", quantity: 3), try .sample("b", price: 7)]
        return Sold(
            try Pricing(shop: .sample(taxes: .rates([nil: 1_900]))).price(
                lines, discount: .sample(.amount(Money(100, .eur)), products: ["a"]), methodId: "post",
                address: .inCountry("DE")))
    }

    @Test func `Nothing can be refunded before the charge, not even a free line`() throws {
        let lines = [try PricedLine.sample("a"), try .sample("gift", price: 0)]
        var sold = Sold(try Pricing(shop: .sample()).price(lines, methodId: "post", address: .inCountry("DE")))
        sold.order.status = .pending
        sold.order.payment = Payment(
            id: "pay_1", status: .pending, amount: sold.order.payment.amount, refunded: .zero(.eur))
        for scope in [RefundScope.lines([.init(sku: "gift", quantity: 1)]), .rest, .amount(Money(1, .eur))] {
            #expect(throws: DomainError.refundExceedsCapture) { try sold.refund(scope) }
        }
    }

    @Test func `Units refunded one by one add up to a refund at once, and lines with shipping to the total`() throws {
        var random = SplitMix64(seed: 8)
        var compared = 0
        for _ in 0..<3_000 {
            let priced = try RandomOrder(using: &random).priced()
            guard !priced.lines.isEmpty, priced.lines.allSatisfy({ $0.line.quantity < 8 }) else { continue }
            compared += 1
            var (single, whole) = (Sold(priced), Sold(priced))
            for line in priced.lines {
                let sku = line.line.offer.sku
                let before = single.order.payment.refunded
                for _ in 0..<line.line.quantity { try single.refund(.lines([.init(sku: sku, quantity: 1)])) }
                let atOnce = try whole.refund(.lines([.init(sku: sku, quantity: line.line.quantity)]))
                #expect(try single.order.payment.refunded.subtracting(before) == atOnce.amount)
                if single.order.payment.refunded == single.order.payment.amount { break }
            }
            #expect(single.order.payment.refunded == whole.order.payment.refunded)
            let (totals, currency) = (priced.totals, priced.discountAmount.currency)
            let offShipping = try priced.discountAmount.subtracting(
                try Money.sum(priced.lines.map(\.discount), in: currency))
            let paidForShipping = try priced.shippingPrice.subtracting(offShipping)
            let withoutTaxes = try totals.items.subtracting(totals.discount).adding(totals.shipping)
            let pricesIncludeTax = withoutTaxes == totals.total
            let shipping = pricesIncludeTax ? paidForShipping : try paidForShipping.adding(priced.shippingTax)
            #expect(try whole.order.payment.refunded.adding(shipping) == totals.total)
            if whole.order.payment.status == .partiallyRefunded, shipping.amount > 0 {
                let rest = try whole.refund(.rest)
                #expect(rest.amount == shipping && rest.tax == priced.shippingTax)
            }
        }
        #expect(compared > 1_000)
    }

    @Test func `Random refunds never exceed the charge, and their taxes add up`() throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<2_000 {
            var sold = Sold(try RandomOrder(using: &random).priced())
            let totals = sold.order.totals
            for _ in 0..<6 where sold.order.payment.status != .refunded {
                let left = totals.total.amount - sold.order.payment.refunded.amount
                let scope: RefundScope
                if Bool.random(using: &random), let line = sold.order.lines.randomElement(using: &random) {
                    scope = .lines([.init(sku: line.sku, quantity: Int.random(in: 1...3, using: &random))])
                } else {
                    let amount = Int64.random(in: 1...max(1, left / 2), using: &random)
                    scope = .amount(Money(amount, totals.total.currency))
                }
                do {
                    let refund = try sold.refund(scope)
                    #expect((0...left).contains(refund.amount.amount))
                    #expect((0...refund.amount.amount).contains(refund.tax.amount))
                } catch DomainError.refundExceedsCapture {} catch DomainError.invalid {}
                #expect(sold.order.lines.allSatisfy { $0.refundedQuantity <= $0.quantity })
            }
            if sold.order.payment.refunded != totals.total { try sold.refund(.rest) }
            #expect(sold.order.payment.refunded == totals.total && sold.refundedTax == totals.tax)
        }
    }

    @Test func `A refunded unit has its share of discount and tax`() throws {
        var sold = try sold()
        // 29.00 for three units, including 4.63 of tax.
        let refunds = try (0..<3).map { _ in try sold.refund(.lines([.init(sku: "a", quantity: 1)])) }
        #expect(refunds.map(\.amount.amount) == [967, 966, 967] && refunds.map(\.tax.amount) == [154, 155, 154])
        #expect(refunds.map(\.refundedQuantities) == [[1, 0], [2, 0], [3, 0]])
    }

    @Test func `A refund of more than is left of the charge is refused`() throws {
        var sold = try sold()
        let total = sold.order.totals.total
        #expect(throws: DomainError.refundExceedsCapture) { try sold.refund(.amount(try total.adding(Money(1, .eur)))) }
        try sold.refund(.amount(try total.subtracting(Money(10, .eur))))
        #expect(throws: DomainError.refundExceedsCapture) { try sold.refund(.lines([.init(sku: "a", quantity: 1)])) }
        #expect(try sold.refund(.rest).amount.amount == 10)
        #expect(throws: DomainError.refundExceedsCapture) { try sold.refund(.rest) }
        #expect(throws: DomainError.refundExceedsCapture) { try sold.refund(.amount(Money(1, .eur))) }
    }

    @Test(arguments: [
        RefundScope.amount(Money(0, .eur)), .amount(Money(-1, .eur)), .lines([]),
        .lines([.init(sku: "c", quantity: 1)]),
        .lines([.init(sku: "a", quantity: 4)]), .lines([.init(sku: "a", quantity: 0)]),
        .lines([.init(sku: "a", quantity: 2), .init(sku: "a", quantity: 2)]), .lines([.init(sku: "a", quantity: .max)]),
    ])
    func `An invalid amount or line cannot be refunded`(scope: RefundScope) throws {
        var sold = try sold()
        let error = try #require(throws: DomainError.self) { try sold.refund(scope) }
        guard case .invalid(let fields) = error, fields.count == 1 else {
            Issue.record("\(error)")
            return
        }
    }
}

@Suite("Changes of the status of orders and payments")
struct OrderMachineTests {
    @Test func `An order is paid, fulfilled, delivered; cancelled before fulfilment; refunded once paid`() {
        let allowed: Set<[OrderStatus]> = [
            [.pending, .paid], [.pending, .cancelled], [.paid, .cancelled], [.paid, .fulfilled],
            [.fulfilled, .delivered],
            [.partiallyRefunded, .cancelled], [.partiallyRefunded, .fulfilled], [.partiallyRefunded, .delivered],
            [.paid, .refunded], [.fulfilled, .refunded], [.delivered, .refunded], [.partiallyRefunded, .refunded],
            [.paid, .partiallyRefunded], [.fulfilled, .partiallyRefunded], [.delivered, .partiallyRefunded],
            [.partiallyRefunded, .partiallyRefunded],
        ]
        let pairs = OrderStatus.allCases.flatMap { from in OrderStatus.allCases.map { [from, $0] } }
        #expect(Set(pairs.filter { OrderMachine.allows($0[0], to: $0[1]) }) == allowed)
    }

    @Test func `A payment is captured or fails, and only a captured payment is refunded`() {
        let allowed: Set<[Payment.Status]> = [
            [.pending, .captured], [.pending, .failed], [.captured, .partiallyRefunded], [.captured, .refunded],
            [.partiallyRefunded, .partiallyRefunded], [.partiallyRefunded, .refunded],
        ]
        let pairs = Payment.Status.allCases.flatMap { from in Payment.Status.allCases.map { [from, $0] } }
        #expect(Set(pairs.filter { PaymentMachine.allows($0[0], to: $0[1]) }) == allowed)
    }
}
