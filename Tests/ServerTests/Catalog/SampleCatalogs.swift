import SeededRandom
import ServerTesting

@testable import PouchDomain

extension Product {
    /// A product with defaults for everything that a test does not name.
    static func sample(
        _ id: String, name: String = "Thing", styleCode: String? = nil, description: String? = nil,
        season: String? = nil, theme: String? = nil, category: String = "things", tags: [String] = [],
        price: Int64 = 1000, materials: [String]? = nil, variants: [Variant]? = nil
    ) -> Product {
        let variants = variants ?? [.sample(id + "-1", price: price)]
        let names = Set(variants.flatMap(\.options.keys)).sorted()
        return Product(
            id: id, handle: "handle-" + id, styleCode: styleCode, name: name, description: description,
            seasonId: season, themeId: theme, category: category, tags: tags, price: Money(price, .eur),
            materials: materials,
            options: names.map { name in
                ProductOption(name: name, values: Set(variants.compactMap { $0.options[name] }).sorted())
            },
            images: [], updatedAt: Date(timeIntervalSince1970: 0), variants: variants)
    }
}

extension Variant {
    static func sample(
        _ sku: String, _ options: [String: String] = [:], price: Int64 = 1000, available: Int = 1
    ) -> Variant {
        Variant(sku: sku, options: options, price: Money(price, .eur), available: available)
    }
}

/// Catalogues and queries with few distinct values, so that filters overlap and sort keys tie.
struct RandomCatalog {
    private static let colours = ["Navy", "navy", "Beige", "Forest"]
    private static let sizes = ["S", "M", "L"]
    private static let nouns = ["Écharpe", "echarpe", "Cardigan", "cardigan", "Mütze", "Muetze", "Socks", "Øre"]
    private static let words = ["soft", "warm", "woollen", "washable", "summer", "winter", "knitted"]

    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func products(_ count: Int) -> [Product] {
        (0..<count).map { product(number: $0) }.shuffled(using: &random)
    }

    mutating func product(number: Int) -> Product {
        let id = "prd_" + String(10_000 + number)
        let hasSizes = chance(2)
        let variants = (0..<Int.random(in: 0...4, using: &random)).map { place in
            var options = [chance(4) ? "colour" : "Colour": pick(Self.colours)]
            if hasSizes { options["Size"] = pick(Self.sizes) }
            return Variant.sample("\(id)-\(place)", options, available: max(0, Int.random(in: -2...2, using: &random)))
        }
        return .sample(
            id,
            name: pick(Self.nouns) + (chance(2) ? " " + pick(Self.words) : ""),
            description: pick(Self.words) + " " + pick(Self.words), season: chance(4) ? nil : pick(["71", "72"]),
            theme: chance(4) ? nil : pick(["711", "712", "721"]), category: pick(["scarves", "hats", "socks"]),
            tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(["wool", "sale", "new"]) },
            price: Int64.random(in: 1...5, using: &random) * 100,
            variants: variants)
    }

    mutating func query() -> ProductQuery {
        var query = ProductQuery(facets: chance(2), limit: chance(2) ? Int.random(in: 1...9, using: &random) : 200)
        if chance(4) { query.season = pick(["71", "72", "73"]) }
        if chance(4) { query.theme = pick(["711", "712", "721"]) }
        if chance(4) { query.category = pick(["scarves", "hats", "shoes"]) }
        if chance(4) { query.tag = pick(["wool", "sale"]) }
        if chance(3) { query.options["COLOUR"] = chance(2) ? [pick(Self.colours)] : ["beige", "NAVY"] }
        if chance(4) { query.options["size"] = [pick(Self.sizes).lowercased()] }
        if chance(20) { query.options["Length"] = ["long"] }
        if chance(4) { query.minPrice = Money(Int64.random(in: 100...400, using: &random), .eur) }
        if chance(4) { query.maxPrice = Money(Int64.random(in: 200...500, using: &random), .eur) }
        if chance(2) { query.inStock = chance(2) }
        if chance(4) { query.search = pick(["cardigan", "CARDGIAN", "soft", "wo", "summer echarpe", "mutze", "oxen"]) }
        if chance(2) { query.sort = pick(ProductSort.allCases) }
        return query
    }

    /// True with a probability of one in `times`.
    mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }
}

/// A slow and simple implementation of catalogue queries.
struct ReferenceCatalog {
    let products: [Product]

    /// All products that the query lists, in order; those by relevance in the order of their ids.
    func results(_ query: ProductQuery) -> [Product] {
        let sort = query.sort ?? (query.search == nil ? .newest : .relevance)
        return products.filter { matches($0, query) }.sorted { one, other in
            switch sort {
            case .newest: return one.id > other.id
            case .relevance: return query.search == nil ? one.id > other.id : one.id < other.id
            case .priceAscending: return (one.price.amount, one.id) < (other.price.amount, other.id)
            case .priceDescending: return (-one.price.amount, one.id) < (-other.price.amount, other.id)
            case .name: return (plain(one.name), one.id) < (plain(other.name), other.id)
            }
        }
    }

    /// The facets by their definition: for each value, the number of products that the query lists with that value
    /// instead of its own filter.
    func facets(_ query: ProductQuery) -> [Facet] {
        var facets = [
            facet("category", products.map(\.category), query) { $0.category = $1 },
            facet("season", products.compactMap(\.seasonId), query) { $0.season = $1 },
            facet("theme", products.compactMap(\.themeId), query) { $0.theme = $1 },
            facet("tag", products.flatMap(\.tags), query) { $0.tag = $1 },
        ]
        for name in spellings(choices.map(\.name)).sorted() {
            let values = spellings(choices.filter { same($0.name, name) }.map(\.value))
            facets.append(
                facet("option." + name, values, query) { query, value in
                    query.options = query.options.filter { !same($0.key, name) }
                    query.options[name] = [value]
                })
        }
        return facets.filter { !$0.values.isEmpty }
    }

    private func facet(
        _ name: String, _ values: [String], _ query: ProductQuery, _ narrow: (inout ProductQuery, String) -> Void
    ) -> Facet {
        let counted = Set(values).map { value in
            var narrowed = query
            narrow(&narrowed, value)
            return Facet.Value(value: value, count: products.count { matches($0, narrowed) })
        }
        return Facet(
            name: name,
            values: counted.filter { $0.count > 0 }.sorted { (-$0.count, $0.value) < (-$1.count, $1.value) })
    }

    /// Names and values of all variants' options, in the order that decides on the spelling.
    private var choices: [(name: String, value: String)] {
        products.sorted { $0.id < $1.id }.flatMap(\.variants).flatMap { variant in
            variant.options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        }
    }

    /// The first spelling of each word.
    private func spellings(_ words: [String]) -> [String] {
        words.reduce(into: []) { known, word in
            if !known.contains(where: { same($0, word) }) { known.append(word) }
        }
    }

    private func same(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }

    private func plain(_ text: String) -> String {
        text.lowercased().replacingOccurrences(of: "ø", with: "o")
            .folding(options: .diacriticInsensitive, locale: nil)
    }

    private func matches(_ product: Product, _ query: ProductQuery) -> Bool {
        for (wanted, actual) in [
            (query.season, product.seasonId), (query.theme, product.themeId), (query.category, product.category),
        ] where wanted != nil && wanted != actual { return false }
        if let tag = query.tag, !product.tags.contains(tag) { return false }
        if let least = query.minPrice, product.price.amount < least.amount { return false }
        if let most = query.maxPrice, product.price.amount > most.amount { return false }
        if let search = query.search, !finds(search, product) { return false }
        // All options and the stock have to match on one variant.
        let fitting = product.variants.filter { variant in
            query.options.allSatisfy { name, values in
                variant.options.contains { option in
                    same(option.key, name) && values.contains { same($0, option.value) }
                }
            }
        }
        let stocked = fitting.filter { $0.available > 0 }
        if query.inStock == true { return !stocked.isEmpty }
        if query.inStock == false, !stocked.isEmpty { return false }
        return !fitting.isEmpty || product.variants.isEmpty && query.options.isEmpty
    }

    private func finds(_ text: String, _ product: Product) -> Bool {
        let words =
            ([product.name, product.category, product.description ?? ""] + product.tags
            + product.options.flatMap(\.values))
            .flatMap { plain($0).split(separator: " ").map(String.init) }
        return plain(text).split(separator: " ").allSatisfy { wanted in
            let typos = wanted.count < 4 ? 0 : wanted.count < 8 ? 1 : 2
            return words.contains { word in
                word.hasPrefix(wanted) || EditDistance.between(Array(word), Array(wanted)) <= typos
            }
        }
    }
}
