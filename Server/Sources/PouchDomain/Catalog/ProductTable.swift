import Foundation
import PouchEntities

/// The products of a catalogue in the order of their ids, with one column for each property of the variants.
///
/// A product is assembled when it is read. Tables derived from each other share all columns that do not differ, so that
/// a sale or a new price copies one column of numbers. Option names and values, which thousands of variants share, are
/// stored once.
///
/// Products are numbered in the order of their ids, and variants product by product. A product without variants has a
/// placeholder variant that is never in stock.
package struct ProductTable: Sendable {
    /// The price of a variant or product, in minor units.
    struct Price: Sendable, Equatable {
        var amount: Int64
        /// The price before a reduction.
        var before: Int64?
    }

    let currency: Currency
    /// The products without variants and price.
    private(set) var heads: [Product] = []
    /// The first variant of each product, and the number of all variants at the end.
    private var starts: [Int32] = [0]
    /// The SKUs by variant; empty for the placeholder of a product without variants.
    private(set) var skus: [String] = []
    /// The options by variant, as an index of `optionSets`.
    private(set) var optionSet: [Int32] = []
    /// The different combinations of options.
    private(set) var optionSets: [[String: String]] = []
    private var weights: [Int32?] = []
    private var optionNumbers: [[String: String]: Int32] = [:]

    /// The prices by product.
    private(set) var prices: [Price] = []
    private(set) var variantPrices: [Price] = []
    /// The available units by variant.
    private(set) var available: [Int] = []

    /// - Parameter products: the products in any order.
    package init(currency: Currency, products: some Sequence<Product> = []) {
        self.currency = currency
        for product in products.sorted(by: { $0.id < $1.id }) { append(product) }
    }

    package var count: Int { heads.count }

    func variants(of product: Int) -> Range<Int> { Int(starts[product])..<Int(starts[product + 1]) }

    func hasVariants(_ product: Int) -> Bool { !skus[variants(of: product).lowerBound].isEmpty }

    /// The product with a number.
    package subscript(product: Int) -> Product {
        let price = prices[product]
        let variants = hasVariants(product) ? self.variants(of: product).map(variant) : []
        return heads[product].with(
            price: money(price.amount), before: price.before.map(money), variants: variants)
    }

    func variant(_ number: Int) -> Variant {
        let price = variantPrices[number]
        return Variant(
            sku: skus[number], options: optionSets[Int(optionSet[number])], price: money(price.amount),
            compareAtPrice: price.before.map(money), available: available[number],
            weightGrams: weights[number].map(Int.init))
    }

    private func money(_ amount: Int64) -> Money { Money(amount, currency) }

    /// The number of a product, by binary search.
    func number(id: String) -> Int? {
        let number = heads.partitioningIndex { $0.id >= id }
        return number < count && heads[number].id == id ? number : nil
    }

    /// The product of a variant, by binary search.
    func product(ofVariant variant: Int) -> Int { starts.partitioningIndex { $0 > Int32(variant) } - 1 }

    // MARK: Changes

    /// Adds a product at the end; `sorted` moves it to its place.
    package mutating func append(_ product: Product) {
        heads.append(product.with(price: money(0), before: nil, variants: []))
        prices.append(Price(product.price, product.compareAtPrice))
        for variant in product.variants {
            append(
                sku: variant.sku, options: variant.options, weight: variant.weightGrams,
                Price(variant.price, variant.compareAtPrice), available: variant.available)
        }
        if product.variants.isEmpty {
            append(sku: "", options: [:], weight: nil, Price(product.price, nil), available: 0)
        }
        starts.append(Int32(skus.count))
    }

    /// The table sorted by ids, since databases may sort text in another order.
    var sorted: ProductTable {
        var table = self
        table.optionNumbers = [:]
        let isSorted = zip(heads, heads.dropFirst()).allSatisfy { $0.id < $1.id }
        return isSorted ? table : ProductTable(currency: currency, products: self)
    }

    private mutating func append(sku: String, options: [String: String], weight: Int?, _ price: Price, available: Int) {
        var set = optionNumbers[options]
        if set == nil {
            set = Int32(optionSets.count)
            optionNumbers[options] = set
            optionSets.append(options)
        }
        skus.append(sku)
        optionSet.append(set ?? 0)
        weights.append(weight.map { Int32(clamping: $0) })
        variantPrices.append(price)
        self.available.append(available)
    }

    /// Replaces the values of a product that no index depends on.
    ///
    /// - Parameter product: a product with the same variants and options.
    /// - Returns: the parts that differed.
    mutating func replace(_ number: Int, with product: Product) -> Difference {
        var difference = Difference()
        let head = product.with(price: money(0), before: nil, variants: [])
        if heads[number] != head {
            heads[number] = head
            difference.insert(.other)
        }
        for (place, variant) in zip(variants(of: number), product.variants) {
            let weight = variant.weightGrams.map { Int32(clamping: $0) }
            if weights[place] != weight {
                weights[place] = weight
                difference.insert(.other)
            }
            difference.formUnion(setPrice(of: place, Price(variant.price, variant.compareAtPrice)))
            difference.formUnion(setAvailable(of: place, variant.available))
        }
        difference.formUnion(setProductPrice(of: number, Price(product.price, product.compareAtPrice)))
        return difference
    }

    mutating func setPrice(of variant: Int, _ price: Price) -> Difference {
        guard variantPrices[variant] != price else { return [] }
        variantPrices[variant] = price
        return .other
    }

    /// Sets the price of the product to that of its cheapest variant.
    mutating func settlePrice(of product: Int) -> Difference {
        guard let cheapest = variantPrices[variants(of: product)].min(by: { $0.amount < $1.amount }) else { return [] }
        return setProductPrice(of: product, cheapest)
    }

    private mutating func setProductPrice(of product: Int, _ price: Price) -> Difference {
        guard prices[product] != price else { return [] }
        let difference: Difference = prices[product].amount == price.amount ? .other : .price
        prices[product] = price
        return difference
    }

    mutating func setAvailable(of variant: Int, _ units: Int) -> Difference {
        let known = available[variant]
        guard known != units else { return [] }
        available[variant] = units
        return (known > 0) == (units > 0) ? .other : .stock
    }

    /// The parts in which two states of a product differ; never empty if they differ.
    struct Difference: OptionSet {
        let rawValue: Int
        /// The price by which lists sort and filter.
        static let price = Self(rawValue: 1)
        /// A variant came into stock or sold out.
        static let stock = Self(rawValue: 2)
        /// Anything that lists neither sort nor filter by.
        static let other = Self(rawValue: 4)
    }

    /// The difference in prices from a table with the same products and variants.
    func priceDifference(_ product: Int, from other: ProductTable) -> Difference {
        var difference: Difference = prices[product].amount == other.prices[product].amount ? [] : .price
        let places = variants(of: product)
        if prices[product] != other.prices[product] || variantPrices[places] != other.variantPrices[places] {
            difference.insert(.other)
        }
        return difference
    }

    /// Whether replacing a product by another leaves all indexes of the catalogue unchanged.
    func isIndexed(_ number: Int, like product: Product) -> Bool {
        let head = heads[number]
        guard hasVariants(number) == !product.variants.isEmpty,
            head.handle == product.handle, head.name == product.name, head.styleCode == product.styleCode,
            head.description == product.description, head.seasonId == product.seasonId,
            head.themeId == product.themeId, head.category == product.category, head.tags == product.tags,
            head.materials == product.materials, head.options == product.options
        else { return false }
        let places = variants(of: number)
        guard hasVariants(number) else { return true }
        return places.count == product.variants.count
            && zip(places, product.variants).allSatisfy { place, variant in
                skus[place] == variant.sku && optionSets[Int(optionSet[place])] == variant.options
            }
    }

    /// The table with products added, replaced and removed.
    ///
    /// - Parameter ids: the ids of all products to replace or remove; `products` has the new ones.
    func replacing(_ ids: Set<String>, with products: [Product]) -> ProductTable {
        var table = ProductTable(currency: currency)
        var added = products.sorted { $0.id < $1.id }[...]
        for number in 0..<count {
            let id = heads[number].id
            while let product = added.first, product.id < id { table.append(added.removeFirst()) }
            if !ids.contains(id) { table.append(self[number]) }
        }
        for product in added { table.append(product) }
        return table.sorted
    }
}

extension ProductTable.Price {
    init(_ price: Money, _ before: Money?) {
        self.init(amount: price.amount, before: before?.amount)
    }
}

extension ProductTable: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }
}

/// A price of a variant that begins or ends as scheduled.
public struct VariantPrice: Sendable, Equatable {
    public let sku: String
    public let price: Money
    public let compareAtPrice: Money?

    public init(sku: String, price: Money, compareAtPrice: Money?) {
        self.sku = sku
        self.price = price
        self.compareAtPrice = compareAtPrice
    }
}

extension Product {
    fileprivate func with(price: Money, before: Money?, variants: [Variant]) -> Product {
        Product(
            id: id, handle: handle, styleCode: styleCode, name: name, description: description, seasonId: seasonId,
            themeId: themeId, category: category, tags: tags, price: price, compareAtPrice: before,
            materials: materials, careInstructions: careInstructions, options: options, images: images,
            promoImage: promoImage, updatedAt: updatedAt, variants: variants)
    }
}

/// Finds texts by hashing, without storing them a second time.
struct TextTable: Sendable {
    /// The numbers of texts, -1 for free places; at most half of the places are taken.
    private var places: [Int32]

    /// - Parameter text: returns the text with a number; nil for none.
    init(count: Int, text: (Int) -> String?) {
        var size = 8
        while size < 2 * count { size *= 2 }
        places = Array(repeating: -1, count: size)
        for number in 0..<count {
            guard let text = text(number) else { continue }
            var place = text.hashValue & (size - 1)
            while places[place] >= 0 { place = (place + 1) & (size - 1) }
            places[place] = Int32(number)
        }
    }

    /// The number of a text.
    ///
    /// - Parameter isEqual: whether the text with a number is the wanted one.
    func number(_ text: String, where isEqual: (Int) -> Bool) -> Int? {
        var place = text.hashValue & (places.count - 1)
        while places[place] >= 0 {
            if isEqual(Int(places[place])) { return Int(places[place]) }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }
}
