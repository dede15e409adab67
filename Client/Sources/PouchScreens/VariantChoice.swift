import PouchEntities

/// The choice of a variant, option by option, such as colour and size.
public struct VariantChoice: Sendable, Hashable {
    public struct Value: Sendable, Hashable {
        public let name: String
        public let isChosen: Bool
        /// Whether a variant with this value and the chosen values of the other options is in stock.
        public let isInStock: Bool
    }

    public let product: Product
    /// The chosen values, by option.
    public private(set) var chosen: [String: String]

    public init(_ product: Product, chosen: [String: String] = [:]) {
        self.product = product
        self.chosen = chosen
        for option in product.options where option.values.count == 1 { self.chosen[option.name] = option.values[0] }
    }

    /// Chooses a value of an option; nil removes the choice.
    public mutating func choose(_ value: String?, for option: String) {
        chosen[option] = value
    }

    public func values(of option: ProductOption) -> [Value] {
        var others = chosen
        others[option.name] = nil
        let matching = product.variants.filter { Self.matches($0, others) && $0.available > 0 }
        return option.values.map { value in
            Value(
                name: value, isChosen: chosen[option.name] == value,
                isInStock: matching.contains { $0.options[option.name] == value })
        }
    }

    public var unchosenOptions: [ProductOption] {
        product.options.filter { chosen[$0.name] == nil }
    }

    /// The chosen variant; nil while an option is unchosen, or if no such variant exists.
    public var variant: Variant? {
        unchosenOptions.isEmpty ? product.variants.first { Self.matches($0, chosen) } : nil
    }

    private static func matches(_ variant: Variant, _ chosen: [String: String]) -> Bool {
        chosen.allSatisfy { variant.options[$0.key] == $0.value }
    }
}
