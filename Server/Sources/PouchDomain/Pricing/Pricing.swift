import PouchEntities

/// Computes the amounts to pay, for cart, preview, checkout and order alike, in time proportional to the lines (times a
/// logarithm, for the splits).
public struct Pricing: Sendable {
    private let shop: ShopSettings
    /// In the order of display.
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
    ///   - discount: already checked for time and use.
    ///   - methodId: nil until a method is chosen; shipping is 0 then.
    ///   - address: decides on taxes and shipping prices; by default the shop's country does.
    /// - Throws: `DomainError.unknownShippingMethod`, also when the method does not serve the address or carry the
    ///   weight; `.locationRequired`; `MoneyError`.
    public func price(
        _ lines: [PricedLine], discount: Discount? = nil, methodId: String? = nil, address: Address? = nil
    ) throws -> PricedOrder {
        let place = destination(address)
        let goods = try Goods(lines, discount: discount, currency: shop.currency)
        let shipping = try methodId.map { try shippingMethod(id: $0, for: goods, to: place).price }
        let shippingPrice = shipping ?? .zero(shop.currency)
        let shippingPaid = goods.isShippingFree ? .zero(shop.currency) : shippingPrice
        let discountAmount = try goods.discount.adding(try shippingPrice.subtracting(shippingPaid))

        let tax = try TaxSplit(
            lines: lines, paid: goods.paid, shipping: shippingPaid, place: place, settings: shop.taxes)
        let untaxed = try goods.items.subtracting(discountAmount).adding(shippingPrice)
        return PricedOrder(
            lines: lines.indices.map {
                PricedOrder.Line(line: lines[$0], discount: goods.discounts[$0], tax: tax.lines[$0])
            },
            discountAmount: discountAmount,
            shippingPrice: shippingPrice,
            shippingTax: tax.shipping,
            grams: goods.grams,
            totals: Totals(
                items: goods.items, discount: discountAmount, shipping: shippingPrice, tax: tax.total,
                total: shop.taxes.pricesIncludeTax ? untaxed : try untaxed.adding(tax.total))
        )
    }

    /// The methods that serve a place and carry the lines, with their full prices, in the shop's order. Without a
    /// location, those that need one are left out.
    ///
    /// - Parameter country: nil for the shop's own.
    /// - Throws: `MoneyError`.
    public func shippingMethods(
        for lines: [PricedLine], discount: Discount? = nil, country: String? = nil, region: String? = nil,
        postalCode: String? = nil, location: GeoPoint? = nil
    ) throws -> [ShippingMethod] {
        let goods = try Goods(lines, discount: discount, currency: shop.currency)
        let place = Destination(
            country: country ?? shop.country, region: region, postalCode: postalCode, location: location)
        let paid = try goods.items.subtracting(goods.discount)
        return try methods(to: place, grams: goods.grams, goods: paid)
    }

    /// The methods for a place, without those that need a location it does not have.
    func methods(to place: Destination, grams: Int, goods: Money) throws -> [ShippingMethod] {
        try options.compactMap { option in
            do {
                return try option.method(to: place, grams: grams, goods: goods)
            } catch DomainError.locationRequired {
                return nil
            }
        }
    }

    private func shippingMethod(id: String, for goods: Goods, to place: Destination) throws -> ShippingMethod {
        let paid = try goods.items.subtracting(goods.discount)
        guard let option = options.first(where: { $0.id == id }),
            let method = try option.method(to: place, grams: goods.grams, goods: paid)
        else { throw DomainError.unknownShippingMethod }
        return method
    }

    private func destination(_ address: Address?) -> Destination {
        address.map { Destination($0) } ?? Destination(country: shop.country)
    }
}

/// The lines with their discounts, before shipping and tax.
private struct Goods {
    let items: Money
    let discounts: [Money]
    let discount: Money
    let isShippingFree: Bool
    /// The amount paid for each line, including tax if prices do.
    let paid: [Money]
    /// Saturates at Int.max.
    let grams: Int

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
        items = try Money.sum(lines.lazy.map(\.total), in: currency)
        discounts = amounts.lines
        self.discount = try Money.sum(amounts.lines, in: currency)
        isShippingFree = amounts.isShippingFree
        self.paid = paid
        self.grams = grams
    }
}
