import Foundation
import PouchEntities

@testable import PouchDomain

/// What the catalogue should answer, found the slow and plain way.
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

    /// By definition: for each value, how many products the query lists with that value in place of its own filter.
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

    /// Names and values of all variants' options, in the order in which spellings are settled.
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
        ] where wanted != nil && wanted != actual {
            return false
        }
        if let tag = query.tag, !product.tags.contains(tag) { return false }
        if let least = query.minPrice, product.price.amount < least { return false }
        if let most = query.maxPrice, product.price.amount > most { return false }
        if let search = query.search, !finds(search, product) { return false }
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
