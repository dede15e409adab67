import PouchDomain
import PouchEntities
import PouchTemplates

extension ProductListValues {
    struct Filter: TemplateValues {
        let name: String
        /// Whether only one value can be chosen at a time.
        let isSingle: Bool
        let values: [FilterValue]
        /// The number of chosen values; nil for none.
        let selectedCount: String?
    }

    struct FilterValue: TemplateValues {
        /// The name and the value of the input.
        let parameter, value: String
        let label: String
        /// The number of products; blank for “All”.
        let count: String
        let isSelected: Bool
    }

    /// The fields for a price range, with the lowest and highest existing price.
    struct PriceRange: TemplateValues {
        let minValue, maxValue, lowest, highest: String
        let error: String?
    }

    /// An active filter, with the address of the list without it.
    struct ActiveFilter: TemplateValues {
        let label, removeUrl: String
    }
}

/// The filters of a list: the available and the active ones.
struct ProductListFilters {
    /// The maximum number of option facets, the largest first; a shop with a varied range has hundreds.
    private static let maxOptions = 6
    private static let maxTags = 30

    let list: ProductList
    let visit: Visit
    let catalog: CatalogReading
    /// The categories of the catalogue, which counts their products at every read.
    let categories: [PouchEntities.Category]

    private var query: ProductQuery { list.query }

    // MARK: Facets

    /// - Parameter products: the products on the page, whose options determine the order of the values.
    func facets(_ facets: [Facet], of products: [Product]) -> [ProductListValues.Filter] {
        let options = facets.filter { $0.name.hasPrefix(ProductList.option) && isWorthwhile($0) }
        let shown = Set(options.sorted { weight($0) > weight($1) }.prefix(Self.maxOptions).map(\.name))
        return facets.compactMap { facet in
            switch facet.name {
            case "category":
                list.isCategory ? nil : values(facet, name: "filters-category", query.category, categoryNames)
            case "season": list.isSeason ? nil : values(facet, name: "filters-season", query.season, seasonNames)
            case "tag":
                values(
                    Facet(name: facet.name, values: Array(facet.values.prefix(Self.maxTags))), name: "filters-tag",
                    query.tag, [:])
            case let name where shown.contains(name): optionValues(facet, of: products)
            default: nil
            }
        }
    }

    /// Whether the visitor can make a choice, or has made one.
    private func isWorthwhile(_ facet: Facet) -> Bool {
        facet.values.count > 1 || !chosen(facet.name.dropFirst(ProductList.option.count)).isEmpty
    }

    private func weight(_ facet: Facet) -> Int { facet.values.reduce(0) { $0 + $1.count } }

    /// Creates a filter with one value at a time.
    private func values(
        _ facet: Facet, name key: String, _ chosen: String?, _ names: [String: String]
    ) -> ProductListValues.Filter? {
        guard facet.values.count > 1 || chosen != nil else { return nil }
        let any = choice(facet.name, "", label: visit.text("filters-any"), count: nil, isSelected: chosen == nil)
        let missing = chosen.flatMap { value in
            facet.values.contains { $0.value == value } ? nil : Facet.Value(value: value, count: 0)
        }
        let values = facet.values + [missing].compactMap(\.self)
        let choices = values.map { value in
            choice(
                facet.name, value.value, label: names[value.value] ?? value.value, count: value.count,
                isSelected: value.value == chosen)
        }
        return ProductListValues.Filter(
            name: visit.text(key), isSingle: true, values: [any] + choices,
            selectedCount: chosen.map { _ in visit.language.number(1) })
    }

    /// Creates the filter of an option, of which several values can be chosen.
    private func optionValues(_ facet: Facet, of products: [Product]) -> ProductListValues.Filter {
        let name = facet.name.dropFirst(ProductList.option.count)
        let chosen = chosen(name)
        let order = Self.order(of: String(name), in: products)
        let sorted = facet.values.enumerated().sorted { one, other in
            let (place, otherPlace) = (order[one.element.value.lowercased()], order[other.element.value.lowercased()])
            return (place ?? .max, one.offset) < (otherPlace ?? .max, other.offset)
        }.map(\.element)
        let missing = chosen.filter { value in !sorted.contains { $0.value.lowercased() == value.lowercased() } }
        let choices = (sorted + missing.map { Facet.Value(value: $0, count: 0) }).map { value in
            choice(
                facet.name, value.value, label: value.value, count: value.count,
                isSelected: chosen.contains { $0.lowercased() == value.value.lowercased() })
        }
        return ProductListValues.Filter(
            name: String(name), isSingle: false, values: choices,
            selectedCount: chosen.isEmpty ? nil : visit.language.number(chosen.count))
    }

    private func choice(
        _ parameter: String, _ value: String, label: String, count: Int?, isSelected: Bool
    ) -> ProductListValues.FilterValue {
        ProductListValues.FilterValue(
            parameter: parameter, value: value, label: label, count: count.map { visit.language.number($0) } ?? "",
            isSelected: isSelected)
    }

    /// The position of each value of an option, in lower case, in an order consistent with the products.
    private static func order(of option: String, in products: [Product]) -> [String: Int] {
        var order: [String] = []
        for product in products {
            var place = 0
            let values = product.options.first { $0.name.lowercased() == option.lowercased() }?.values ?? []
            for value in values.map({ $0.lowercased() }) {
                if let known = order.firstIndex(of: value) {
                    place = known + 1
                } else {
                    order.insert(value, at: place)
                    place += 1
                }
            }
        }
        return Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    // MARK: What is chosen

    var active: [ProductListValues.ActiveFilter] {
        var active: [ProductListValues.ActiveFilter] = []
        func add(_ label: String?, _ change: (inout ProductQuery) -> Void) {
            if let label { active.append(.init(label: label, removeUrl: list.url(changing: change))) }
        }
        if !list.isSearch { add(query.search.map { "“\($0)”" }) { $0.search = nil } }
        if !list.isCategory { add(query.category.map { categoryNames[$0] ?? $0 }) { $0.category = nil } }
        if !list.isSeason {
            add(query.season.map { seasonNames[$0] ?? $0 }) { $0.season = nil }
            let themes = catalog.themes(season: nil)
            add(query.theme.map { id in themes.first { $0.id == id }?.name ?? id }) { $0.theme = nil }
        }
        add(query.tag) { $0.tag = nil }
        for (name, values) in query.options.sorted(by: { $0.key < $1.key }) {
            for value in values { add("\(name): \(value)") { $0.options[name]?.removeAll { $0 == value } } }
        }
        add(query.minPrice.map { visit.text("filters-active-from", visit.language.price($0)) }) {
            $0.minPrice = nil
        }
        add(query.maxPrice.map { visit.text("filters-active-to", visit.language.price($0)) }) {
            $0.maxPrice = nil
        }
        add(query.inStock == nil ? nil : visit.text("filters-in-stock")) { $0.inStock = nil }
        return active
    }

    /// The chosen values of an option.
    private func chosen(_ option: Substring) -> [String] {
        query.options.filter { $0.key.lowercased() == option.lowercased() }.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    // MARK: Names and prices

    private var categoryNames: [String: String] { categories.byKey { ($0.id, $0.name) } }
    private var seasonNames: [String: String] { catalog.seasons.byKey { ($0.id, $0.name) } }

    /// The price range; nil if there is no choice.
    var priceRange: ProductListValues.PriceRange? {
        func price(_ sort: ProductSort) -> String? {
            var query = query
            (query.minPrice, query.maxPrice, query.sort) = (nil, nil, sort)
            (query.facets, query.limit) = (false, 1)
            return (try? catalog.page(query, after: nil))?.items.first?.price.decimal
        }
        guard let lowest = price(.priceAscending), let highest = price(.priceDescending) else { return nil }
        let isChosen = query.minPrice != nil || query.maxPrice != nil
        guard lowest != highest || isChosen else { return nil }
        return ProductListValues.PriceRange(
            minValue: query.minPrice?.decimal ?? "", maxValue: query.maxPrice?.decimal ?? "", lowest: lowest,
            highest: highest, error: list.hasWrongPrice ? visit.text("filters-price-invalid") : nil)
    }
}
