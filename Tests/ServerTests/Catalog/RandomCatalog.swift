import PouchDomain
import PouchEntities
import SeededRandom

/// Catalogues and queries with few distinct values, so that filters meet and sort keys tie.
struct RandomCatalog {
    private static let colours = ["Navy", "navy", "Beige", "Forest"]
    private static let sizes = ["S", "M", "L"]
    private static let nouns = ["Écharpe", "echarpe", "Cardigan", "cardigan", "Mütze", "Muetze", "Socks", "Øre"]
    private static let words = ["soft", "warm", "woollen", "washable", "summer", "winter", "knitted"]

    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

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
            description: pick(Self.words) + " " + pick(Self.words),
            season: chance(4) ? nil : pick(["71", "72"]),
            theme: chance(4) ? nil : pick(["711", "712", "721"]),
            category: pick(["scarves", "hats", "socks"]),
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
        if chance(4) { query.minPrice = Int64.random(in: 100...400, using: &random) }
        if chance(4) { query.maxPrice = Int64.random(in: 200...500, using: &random) }
        if chance(2) { query.inStock = chance(2) }
        if chance(4) { query.search = pick(["cardigan", "CARDGIAN", "soft", "wo", "summer echarpe", "mutze", "oxen"]) }
        if chance(2) { query.sort = pick(ProductSort.allCases) }
        return query
    }

    /// True once in so many times.
    mutating func chance(_ times: Int) -> Bool {
        Int.random(in: 0..<times, using: &random) == 0
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }
}
