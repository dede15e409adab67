import PouchEntities

/// A value of an option that variants offer, such as `Size: M`.
public struct OptionValue: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    fileprivate var folded: OptionValue { OptionValue(name: name.lowercased(), value: value.lowercased()) }
}

/// The parts of a variant that filters use: its stock, and its choices by the store's numbers.
public struct ListedVariant: Sendable, Equatable {
    /// The units that can be bought; negative if the shop has sold more than it had.
    public let available: Int
    public let choices: [Int]

    public init(available: Int, choices: [Int]) {
        self.available = available
        self.choices = choices
    }
}

/// The filters that one variant must meet together: a selected value of each option, and stock. It also counts the
/// facets of the options.
///
/// A navy variant and another one in size M do not make a product that is available in navy and M.
public struct VariantFilter: Sendable {
    private struct Known {
        let choice: OptionValue
        /// Equal for choices that differ only in case.
        let key: Int
        /// The position of the selected option that has this value.
        let option: Int?
        let isWanted: Bool
    }

    /// The selected options for which a variant has none of the selected values.
    private enum Missed: Equatable {
        case none, one(Int), several
    }

    /// In the order of their spelling.
    private let choices: [Known]
    /// The positions of the choices by the store's numbers.
    private let places: [Int: Int]
    private let optionCount: Int
    private let inStock: Bool?

    /// - Parameter choices: returns the choices of all variants, each with its number. Called only if the list or its
    ///   facets depend on them.
    public init<Choices: Sequence<(number: Int, choice: OptionValue)>>(
        _ query: ProductQuery, choices: () throws -> Choices
    ) rethrows {
        let wanted = query.foldedOptions
        let names = Array(wanted.keys)
        let known = query.facets || !wanted.isEmpty ? Array(try choices()) : []
        let spelled = known.sorted { ($0.choice.name, $0.choice.value) < ($1.choice.name, $1.choice.value) }
        var keys: [OptionValue: Int] = [:]
        self.choices = spelled.map { _, choice in
            let folded = choice.folded
            let key = keys[folded] ?? keys.count
            keys[folded] = key
            return Known(
                choice: choice, key: key, option: names.firstIndex(of: folded.name),
                isWanted: wanted[folded.name]?.contains(folded.value) ?? false)
        }
        places = Dictionary(
            zip(spelled.map(\.number), spelled.indices), uniquingKeysWith: { first, _ in first })
        optionCount = names.count
        inStock = query.inStock
    }

    /// Whether the query limits the variants at all.
    public var isNarrow: Bool { optionCount > 0 || inStock != nil }

    /// Whether a product with these variants is listed.
    public func matches(_ variants: [ListedVariant]) -> Bool {
        guard isNarrow else { return true }
        let wanted = variants.filter { missed($0) == .none }
        guard let inStock else { return !wanted.isEmpty }
        return !wanted.isEmpty && wanted.contains { $0.available > 0 } == inStock
    }

    /// Counts a product for each choice with which it would be listed if the choice were the only selected one of its
    /// option. Stock is compared over the variants with that choice.
    public func count(_ variants: [ListedVariant], into counts: inout Counts) {
        var most: [(key: Int, place: Int, available: Int)] = []
        for variant in variants {
            let missed = missed(variant)
            guard missed != .several else { continue }
            for number in variant.choices {
                guard let place = places[number] else { continue }
                let known = choices[place]
                if case .one(let option) = missed, known.option != option { continue }
                guard let index = most.firstIndex(where: { $0.key == known.key }) else {
                    most.append((known.key, place, variant.available))
                    continue
                }
                most[index].available = max(most[index].available, variant.available)
                most[index].place = min(most[index].place, place)
            }
        }
        for choice in most where inStock.map({ $0 == (choice.available > 0) }) ?? true {
            counts.products[choice.place, default: 0] += 1
        }
    }

    /// The numbers of products by choice. They belong to the filter that counted them.
    public struct Counts {
        fileprivate var products: [Int: Int] = [:]

        public init() {}
    }

    /// Adds a facet for each option that products were counted for.
    public func add(_ counts: Counts, to facets: inout FacetList) {
        for (place, count) in counts.products {
            facets.add("option." + choices[place].choice.name, value: choices[place].choice.value, count: count)
        }
    }

    private func missed(_ variant: ListedVariant) -> Missed {
        guard optionCount > 0 else { return .none }
        var met: Set<Int> = []
        for number in variant.choices {
            guard let place = places[number] else { continue }
            if choices[place].isWanted, let option = choices[place].option { met.insert(option) }
        }
        let missed = (0..<optionCount).filter { !met.contains($0) }
        return missed.isEmpty ? .none : missed.count == 1 ? .one(missed[0]) : .several
    }
}
