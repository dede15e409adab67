import PouchEntities

/// The variants of a product row: every colour in every size, without unknown colours and sizes.
struct LayersVariants {
    private static let colourOption = "Colour"
    private static let sizeOption = "Size"
    /// The colours of a LAYERS feed, by their codes.
    private static let colourNames = [
        11: "Off-White", 18: "Anthracite", 19: "Black", 25: "Beige", 29: "Brown",
        35: "Blue", 39: "Navy", 40: "Powder", 69: "Forest", 72: "Pink",
    ]

    private(set) var variants: [FeedVariant] = []
    private(set) var errors: [FeedRowError] = []
    private(set) var notes: [FeedRowError] = []
    private let line: Int

    /// - Throws: `FeedRowError` for an invalid price or weight, which affects all variants.
    init(row: LayersProductRow, line: Int, currency: Currency, defaultStock: Int) throws(FeedRowError) {
        self.line = line
        let numbers = FeedNumbers(line: line, currency: currency)
        guard row.price.currencyCode ?? currency.code == currency.code else {
            throw FeedRowError(
                line: line, field: "price.currencyCode", code: .currencyMismatch,
                detail: "the shop sells in \(currency.code)")
        }
        let price = try numbers.price(row.price.retail.text, field: "price.retail")
        var compareAtPrice: Money?
        if let before = row.price.compareAt {
            let found = try numbers.compareAtPrice(before.text, price: price, field: "price.compareAt")
            compareAtPrice = found.price
            notes += [found.note].compactMap(\.self)
        }
        let weight = try row.weightGrams.flatMap { (grams) throws(FeedRowError) in
            try numbers.weight(grams, field: "weightGrams")
        }
        let colours = knownColours(row.colors)
        let sizes = knownSizes(row.sizes)
        var stock = row.stock ?? [:]
        for colour in colours {
            for size in sizes {
                let key = [colour.map { String($0.code) }, size.rawValue].compactMap(\.self).joined(separator: "-")
                do throws(FeedRowError) {
                    let units = try numbers.count(stock.removeValue(forKey: key) ?? defaultStock, field: "stock.\(key)")
                    var options: [String: String] = [:]
                    options[Self.colourOption] = colour?.name
                    if sizes != [.one] { options[Self.sizeOption] = size.label }
                    variants.append(
                        FeedVariant(
                            sku: "\(row.style)-\(key)", options: options, price: price,
                            compareAtPrice: compareAtPrice, stock: units, weightGrams: weight))
                } catch {
                    errors.append(error)
                }
            }
        }
        reportUnused(stock)
    }

    /// The colours in the row's order, and the sizes from small to large.
    var options: [ProductOption] {
        [Self.colourOption, Self.sizeOption].compactMap { name in
            var values: [String] = []
            for case let value? in variants.map({ $0.options[name] }) where !values.contains(value) {
                values.append(value)
            }
            return values.isEmpty ? nil : ProductOption(name: name, values: values)
        }
    }

    /// The colours; a single nil for a product without colours.
    private mutating func knownColours(_ codes: [Int]?) -> [(code: Int, name: String)?] {
        guard let codes, !codes.isEmpty else { return [nil] }
        var colours: [(code: Int, name: String)] = []
        for code in codes where !colours.contains(where: { $0.code == code }) {
            if let name = Self.colourNames[code] {
                colours.append((code, name))
            } else {
                report("colors", .unknownColour, "unknown colour \(code)")
            }
        }
        return colours
    }

    private mutating func knownSizes(_ names: [String]?) -> [LayersSize] {
        guard let names, !names.isEmpty else { return LayersSize.standard }
        let wanted = names.map { $0.lowercased() }
        for name in wanted where LayersSize(rawValue: name) == nil {
            report("sizes", .unknownSize, "unknown size “\(name.prefix(40))”")
        }
        return LayersSize.allCases.filter { wanted.contains($0.rawValue) }
    }

    /// Reports stock for variants that do not exist, unless it may belong to a colour or size that was already
    /// reported.
    private mutating func reportUnused(_ stock: [String: Int]) {
        guard errors.isEmpty else { return }
        for key in stock.keys.sorted() {
            report("stock.\(key.prefix(40))", .unknownVariant, "the product has no such colour and size")
        }
    }

    private mutating func report(_ field: String, _ code: FeedRowError.Code, _ detail: String) {
        errors.append(FeedRowError(line: line, field: field, code: code, detail: detail))
    }
}

/// The sizes of a LAYERS feed, in display order; the raw values are parts of SKUs.
private enum LayersSize: String, CaseIterable {
    case xs, s, m, l, xl
    /// The only size; a product with only this size has no size option.
    case one

    /// The sizes of a product whose row names none.
    static let standard: [Self] = [.xs, .s, .m, .l, .xl]

    var label: String { self == .one ? "One Size" : rawValue.uppercased() }
}
