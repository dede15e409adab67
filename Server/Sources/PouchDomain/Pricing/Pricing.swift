import PouchEntities

/// Computes the amounts to pay for carts, previews, checkouts and orders, in time proportional to the lines (times a
/// logarithm, for the splits).
public struct Pricing: Sendable {
    private let shop: ShopSettings
    /// The delivery options in the order of display.
    private let options: [any DeliveryOption]

    /// - Parameter courier: nil for a shop that does not offer delivery by courier.
    public init(shop: ShopSettings, courier: (any DeliveryOption)? = nil) {
        self.shop = shop
        options = shop.shipping + (courier.map { [$0] } ?? [])
    }

    init(_ environment: DomainEnvironment) {
        self.init(shop: environment.shop, courier: environment.courier)
    }

    /// - Parameters:
    ///   - discount: a discount whose period and uses were checked.
    ///   - methodId: nil until a method is chosen; shipping is then 0.
    ///   - address: determines taxes and shipping prices; defaults to the shop's country.
    /// - Throws: `DomainError.unknownShippingMethod`, also when the method does not serve the address or carry the
    ///   weight; `.locationRequired`; `MoneyError`.
    public func price(
        _ lines: [PricedLine], discount: Discount? = nil, methodId: String? = nil, address: Address? = nil
    ) throws -> PricedOrder {
        let place = destination(address)
        let goods = try goods(lines, discount: discount, for: place)
        let lines = goods.lines
        let shipping = try shipping(goods.sum, try methodId.map { try method($0, for: goods, to: place) })
        let tax = try TaxSplit(
            lines: lines, paid: goods.paid, shipping: shipping.paid, region: shop.taxes.region(for: place),
            settings: shop.taxes)
        return PricedOrder(
            lines: lines.indices.map {
                PricedOrder.Line(line: lines[$0], discount: goods.discounts[$0], tax: tax.lines[$0])
            },
            discountAmount: shipping.discount,
            shippingPrice: shipping.price,
            shippingTax: tax.shipping,
            grams: goods.sum.grams,
            totals: try totals(of: goods.sum, with: shipping, tax: tax.total)
        )
    }

    /// The totals of a cart of which only the sums are known: the same as `price` computes from its lines.
    ///
    /// - Returns: nil if the sums are not enough: if the discount applies to lines, if prices for the address are
    ///   without tax, or if the tax of each line is rounded and the lines were taxed at other rates than the address's.
    /// - Throws: the errors of `price`.
    public func totals(
        of sums: CartSums, discount: Discount? = nil, methodId: String? = nil, address: Address? = nil
    ) throws -> Totals? {
        let place = destination(address)
        let items = try sums.items(in: shop.currency)
        guard unpaidTax(at: place) == nil,
            let isShippingFree = try discount.map({ try $0.freesShipping(lines: sums.lineCount, items: items) })
                ?? false
        else { return nil }
        let goods = GoodsSum(
            items: items, discount: .zero(shop.currency), isShippingFree: isShippingFree, grams: sums.grams)
        let shipping = try shipping(goods, try methodId.map { try method($0, for: goods, to: place) })
        guard let region = shop.taxes.region(for: place) else {
            return try totals(of: goods, with: shipping, tax: .zero(shop.currency))
        }
        if shop.taxes.rounding == .perLine, !sums.wereTaxed(by: TaxTable(region: region, settings: shop.taxes)) {
            return nil
        }
        let parts = sums.categories.map { id, sum in
            (Money(sum.amount, shop.currency), region.rate(categoryId: id), Money(sum.tax, shop.currency))
        }
        let tax = try TaxSplit.total(of: parts, shipping: shipping.paid, region: region, settings: shop.taxes)
        return try totals(of: goods, with: shipping, tax: tax)
    }

    /// The taxes on lines sent to the address.
    public func taxTable(_ address: Address?) -> TaxTable {
        TaxTable(region: shop.taxes.region(for: destination(address)), settings: shop.taxes)
    }

    /// The methods that serve a destination and carry the lines, with their full prices, in the shop's order. Without a
    /// location, methods that need one are omitted.
    ///
    /// - Parameter country: nil for the shop's country.
    /// - Throws: `MoneyError`.
    public func shippingMethods(
        for lines: [PricedLine], discount: Discount? = nil, country: String? = nil, region: String? = nil,
        postalCode: String? = nil, location: GeoPoint? = nil
    ) throws -> [ShippingMethod] {
        let place = Destination(
            country: country ?? shop.country, region: region, postalCode: postalCode, location: location)
        let goods = try goods(lines, discount: discount, for: place)
        return try methods(to: place, grams: goods.sum.grams, goods: goods.sum.paid).map {
            try withoutUnpaidTax($0, for: goods, to: place)
        }
    }

    /// The methods for a destination, without those that need a location that it lacks.
    func methods(to place: Destination, grams: Int, goods: Money) throws -> [ShippingMethod] {
        try options.compactMap { option in
            do {
                return try option.method(to: place, grams: grams, goods: goods)
            } catch DomainError.locationRequired {
                return nil
            }
        }
    }

    private func totals(of goods: GoodsSum, with shipping: ShippingSum, tax: Money) throws -> Totals {
        let untaxed = try goods.items.subtracting(shipping.discount).adding(shipping.price)
        return Totals(
            items: goods.items, discount: shipping.discount, shipping: shipping.price, tax: tax,
            total: shop.taxes.pricesIncludeTax ? untaxed : try untaxed.adding(tax))
    }

    private func shipping(_ goods: GoodsSum, _ method: ShippingMethod?) throws -> ShippingSum {
        let price = method?.price ?? .zero(shop.currency)
        let paid = goods.isShippingFree ? .zero(shop.currency) : price
        return ShippingSum(price: price, paid: paid, discount: try goods.discount.adding(price.subtracting(paid)))
    }

    private func method(_ id: String, for goods: Goods, to place: Destination) throws -> ShippingMethod {
        try withoutUnpaidTax(try method(id, for: goods.sum, to: place), for: goods, to: place)
    }

    private func method(_ id: String, for goods: GoodsSum, to place: Destination) throws -> ShippingMethod {
        guard let option = options.first(where: { $0.id == id }),
            let method = try option.method(to: place, grams: goods.grams, goods: goods.paid)
        else { throw DomainError.unknownShippingMethod }
        return method
    }

    // MARK: Prices without tax

    /// The tax that prices include and that a buyer does not pay: that of the shop's country, if the destination has no
    /// tax.
    private func unpaidTax(at place: Destination) -> TaxRegion? {
        guard shop.taxes.pricesIncludeTax, shop.taxes.region(for: place) == nil else { return nil }
        return shop.taxes.region(for: Destination(country: shop.country))
    }

    /// The lines with their prices for a destination.
    private func goods(_ lines: [PricedLine], discount: Discount?, for place: Destination) throws -> Goods {
        guard let unpaid = unpaidTax(at: place) else {
            return try Goods(lines, discount: discount, currency: shop.currency)
        }
        let lines = try lines.map { line in
            let rate = unpaid.rate(categoryId: line.offer.categoryId)
            return try line.withPrices { price throws(MoneyError) in
                try price.subtracting(TaxSplit.tax(on: price, rate: rate, shop.taxes))
            }
        }
        return try Goods(lines, discount: discount, currency: shop.currency)
    }

    private func withoutUnpaidTax(
        _ method: ShippingMethod, for goods: Goods, to place: Destination
    ) throws -> ShippingMethod {
        guard let unpaid = unpaidTax(at: place) else { return method }
        let tax = try TaxSplit(
            lines: goods.lines, paid: goods.paid, shipping: method.price, region: unpaid,
            settings: TaxSettings(pricesIncludeTax: true, rounding: .perLine, regions: []))
        return ShippingMethod(
            id: method.id, name: method.name, price: try method.price.subtracting(tax.shipping),
            estimate: method.estimate)
    }

    private func destination(_ address: Address?) -> Destination {
        address.map { Destination($0) } ?? Destination(country: shop.country)
    }
}

/// The sums over all lines, before shipping and tax.
private struct GoodsSum {
    let items: Money
    /// The discount on the lines.
    let discount: Money
    let isShippingFree: Bool
    /// Saturates at Int.max.
    let grams: Int

    var paid: Money {
        get throws(MoneyError) { try items.subtracting(discount) }
    }
}

/// The shipping, with the whole discount of the order.
private struct ShippingSum {
    let price: Money
    let paid: Money
    let discount: Money
}

/// The lines with their discounts, before shipping and tax.
private struct Goods {
    let lines: [PricedLine]
    let discounts: [Money]
    /// The amount paid for each line, including tax if prices include it.
    let paid: [Money]
    let sum: GoodsSum

    init(_ lines: [PricedLine], discount: Discount?, currency: Currency) throws(MoneyError) {
        let amounts =
            try discount?.amounts(off: lines, currency: currency) ?? Discount.nothing(off: lines, currency: currency)
        var paid: [Money] = []
        paid.reserveCapacity(lines.count)
        for (line, discount) in zip(lines, amounts.lines) { paid.append(try line.total.subtracting(discount)) }
        var grams = 0
        for line in lines {
            let (weight, isTooHeavy) = line.offer.weightGrams.multipliedReportingOverflow(by: line.quantity)
            let (sum, overflow) = grams.addingReportingOverflow(weight)
            grams = isTooHeavy || overflow ? .max : sum
            if grams == .max { break }
        }
        self.lines = lines
        discounts = amounts.lines
        self.paid = paid
        sum = GoodsSum(
            items: try Money.sum(lines.lazy.map(\.total), in: currency),
            discount: try Money.sum(amounts.lines, in: currency), isShippingFree: amounts.isShippingFree, grams: grams)
    }
}

/// Lines with discount, shipping and tax. The discounts of the lines and of free shipping add up to `discountAmount`,
/// the taxes of the lines and of the shipping to `totals.tax`.
public struct PricedOrder: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public let line: PricedLine
        /// The discount, at most the line's total.
        public let discount: Money
        /// The tax. If prices include tax, it is part of the total less the discount.
        public let tax: Money
    }

    /// The lines in the order of the input.
    public let lines: [Line]
    /// Includes the amount saved by free shipping.
    public let discountAmount: Money
    /// The full price, even if a discount makes it free; 0 until a method is chosen.
    public let shippingPrice: Money
    /// The tax on the shipping that remains to be paid.
    public let shippingTax: Money
    /// The weight of all units; saturates at Int.max.
    public let grams: Int
    public let totals: Totals
}

extension PricedOrder.Line {
    func cartLine(_ description: OfferDescription) -> CartLine {
        CartLine(line, description, discount: discount)
    }

    func orderLine(_ description: OfferDescription) -> OrderLine {
        OrderLine(
            sku: line.offer.sku, name: description.name, options: description.options, quantity: line.quantity,
            unitPrice: line.offer.price, lineTotal: line.total, discount: discount, tax: tax, refundedQuantity: 0)
    }
}

extension PricedOrder {
    /// - Parameter descriptions: the descriptions of all lines by SKU.
    func cartLines(_ descriptions: [String: OfferDescription]) -> [CartLine] {
        lines.compactMap { line in descriptions[line.line.offer.sku].map(line.cartLine) }
    }

    /// - Parameter descriptions: the descriptions of all lines by SKU.
    func orderLines(_ descriptions: [String: OfferDescription]) -> [OrderLine] {
        lines.compactMap { line in descriptions[line.line.offer.sku].map(line.orderLine) }
    }
}

extension CartLine {
    /// - Parameter discount: by default nothing.
    init(_ line: PricedLine, _ description: OfferDescription, discount: Money? = nil) {
        self.init(
            sku: line.offer.sku, productHandle: line.offer.productHandle, name: description.name,
            image: description.image, options: description.options, quantity: line.quantity,
            unitPrice: line.offer.price, lineTotal: line.total, discount: discount ?? .zero(line.total.currency),
            available: line.offer.available)
    }
}
