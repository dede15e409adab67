import Foundation
import PouchEntities
import PouchJSON

/// The sums over the lines of a cart. They are stored with the cart, so that a write to one line does not read the
/// others.
///
/// They are valid for one version of the catalogue and until the next scheduled change. During that time, every line
/// has the price that the owner has seen.
public struct CartSums: Sendable, Equatable {
    /// The lines of one category. Categories without an amount are omitted.
    public struct Category: Sendable, Equatable {
        /// The sum of the lines before any discount, in minor units.
        public let amount: Int64
        /// nil without taxes.
        public let rate: TaxRate?
        /// The sum of the taxes on each line, in minor units.
        public let tax: Int64

        public init(amount: Int64, rate: TaxRate?, tax: Int64) {
            self.amount = amount
            self.rate = rate
            self.tax = tax
        }
    }

    /// The catalogue that the lines were priced from.
    public struct Prices: Sendable, Equatable {
        public let catalogVersion: Int64
        public let from: Date
        /// The time before which no price changes; nil if no change is scheduled.
        public let until: Date?

        public init(catalogVersion: Int64, from: Date, until: Date?) {
            self.catalogVersion = catalogVersion
            self.from = from
            self.until = until
        }
    }

    /// nil for a cart without lines, whose sums are always valid.
    public private(set) var prices: Prices?
    public private(set) var lineCount: Int
    /// The weight; less than Int.max.
    public private(set) var grams: Int
    public private(set) var pricesIncludeTax: Bool
    public private(set) var categories: [String: Category]

    public init(prices: Prices?, lineCount: Int, grams: Int, pricesIncludeTax: Bool, categories: [String: Category]) {
        self.prices = prices
        self.lineCount = lineCount
        self.grams = grams
        self.pricesIncludeTax = pricesIncludeTax
        self.categories = categories
    }

    /// The sums of a cart without lines.
    public static let empty = CartSums(
        prices: nil, lineCount: 0, grams: 0, pricesIncludeTax: false, categories: [:])

    /// - Returns: nil if the weight of the lines is too large for an integer.
    /// - Throws: `MoneyError.overflow`.
    public init?(_ lines: [PricedLine], prices: Prices, taxes: TaxTable) throws {
        self = .empty
        self.prices = prices
        pricesIncludeTax = taxes.settings.pricesIncludeTax
        for line in lines { guard try count(line, taxes) else { return nil } }
    }

    func hold(at now: Date, catalogVersion: Int64) -> Bool {
        guard let prices else { return true }
        return prices.catalogVersion == catalogVersion && prices.from <= now && prices.until.map { now < $0 } ?? true
    }

    func items(in currency: Currency) throws(MoneyError) -> Money {
        try Money.sum(categories.values.lazy.map { Money($0.amount, currency) }, in: currency)
    }

    /// Whether the lines were taxed with the rates of the table.
    func wereTaxed(by taxes: TaxTable) -> Bool {
        categories.isEmpty
            || pricesIncludeTax == taxes.settings.pricesIncludeTax
                && categories.allSatisfy { $0.value.rate == taxes.rate(categoryId: $0.key) }
    }

    /// The sums after a change of one line.
    ///
    /// - Parameters:
    ///   - old: the line included in the sums; nil for a new line.
    ///   - new: the changed line; nil for a removed line.
    ///   - next: the catalogue from which the line was priced.
    /// - Returns: nil if the lines must be added up: the tax rate of the category has changed, or the weight is too
    ///   large for an integer.
    /// - Throws: `MoneyError.overflow`.
    public func changed(
        from old: PricedLine?, to new: PricedLine?, prices next: Prices, taxes: TaxTable
    ) throws -> CartSums? {
        guard categories.isEmpty || pricesIncludeTax == taxes.settings.pricesIncludeTax else { return nil }
        var sums = self
        sums.pricesIncludeTax = taxes.settings.pricesIncludeTax
        sums.prices = Prices(
            catalogVersion: next.catalogVersion, from: max(prices?.from ?? next.from, next.from),
            until: [prices?.until, next.until].compactMap(\.self).min())
        if let old, try !sums.count(old, sign: -1, taxes) { return nil }
        if let new, try !sums.count(new, taxes) { return nil }
        return sums
    }

    /// Adds a line or, with the sign -1, subtracts it.
    ///
    /// - Returns: false if the sums cannot be kept.
    private mutating func count(_ line: PricedLine, sign: Int = 1, _ taxes: TaxTable) throws -> Bool {
        let (weight, isTooHeavy) = line.offer.weightGrams.multipliedReportingOverflow(by: line.quantity * sign)
        let (grams, overflow) = self.grams.addingReportingOverflow(weight)
        guard !isTooHeavy, !overflow, grams < .max else { return false }
        let id = line.offer.categoryId
        let rate = taxes.rate(categoryId: id)
        let before = categories[id] ?? Category(amount: 0, rate: rate, tax: 0)
        guard before.rate == rate else { return false }
        let currency = line.total.currency
        let (total, tax) = (line.total, try taxes.tax(on: line.total, categoryId: id))
        let amount = try Money(before.amount, currency).adding(total.multiplied(by: sign)).amount
        categories[id] =
            amount == 0
            ? nil
            : Category(
                amount: amount, rate: rate,
                tax: try Money(before.tax, currency).adding(tax.multiplied(by: sign)).amount)
        self.grams = grams
        lineCount += sign
        return true
    }
}

extension CartSums.Category: JSONModel {
    // Earlier versions stored a rate in basis points as `rate`. They and this version find no rate in the other's sums,
    // and so add up the lines again.
    public static let json = JSONObject(
        { CartSums.Category(amount: $0, rate: $1.map(TaxRate.init(millionths:)), tax: $2) },
        .field("amount", \.amount), .field("millionths", \.rate?.millionths), .field("tax", \.tax))
}

/// The taxes on single lines at one destination.
public struct TaxTable: Sendable {
    /// nil if there are no taxes.
    let region: TaxRegion?
    let settings: TaxSettings

    func rate(categoryId: String) -> TaxRate? { region?.rate(categoryId: categoryId) }

    func tax(on amount: Money, categoryId: String) throws(MoneyError) -> Money {
        guard let rate = rate(categoryId: categoryId) else { return .zero(amount.currency) }
        return try TaxSplit.tax(on: amount, rate: rate, settings)
    }
}

extension Discount {
    /// Whether the discount makes shipping free for a cart of which only the sums are known; nil if the lines decide.
    func freesShipping(lines: Int, items: Money) throws(MoneyError) -> Bool? {
        guard products == nil, categories == nil else { return nil }
        if let minimum, try items.subtracting(minimum).amount < 0 { return false }
        switch rule {
        case .freeShipping: return lines > 0
        case .percentage, .amount, .buyXGetY: return items.amount > 0 ? nil : false
        }
    }
}
