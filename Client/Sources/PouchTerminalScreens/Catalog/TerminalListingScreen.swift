import Foundation
import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalListingScreen: TerminalScreen, ListingScreen {
    var query = ProductQuery() {
        didSet {
            if query.search != oldValue.search { form["search"] = query.search ?? "" }
            redraw()
        }
    }
    var products = LoadState<ProductPage>() {
        didSet {
            // What was found is looked at first, unless somebody is writing.
            let isOther = products.value?.items.first?.id != oldValue.value?.items.first?.id
            if isOther, !showsFilters, form["search"] == query.search ?? "" { focusOnProducts() }
            redraw()
        }
    }
    var categories: [PouchEntities.Category] = [] { didSet { redraw() } }
    private var showsFilters = false

    override var title: String {
        query.category.map { id in categories.first { $0.id == id }?.name ?? id } ?? "All products"
    }

    override var hints: [(key: String, meaning: String)] {
        [("Enter", "open"), ("f", showsFilters ? "hide filters" : "filters"), ("/", "search")]
            + (isNarrowed ? [("x", "clear filters")] : [])
    }

    override var elements: [FormElement] {
        var elements = field("search", "Search") { [unowned self] in search() }
        elements += showsFilters ? filterElements : [.text(StyledText(filterSummary, .dim))]
        elements.append(.blank)
        if products.isLoading, products.value != nil {
            elements.append(.text(environment.animation.spinner("Loading")))
        }
        return elements + loaded(products, productElements)
    }

    override func pressOwn(_ key: Key) -> Bool {
        switch key {
        case .character("f"):
            showsFilters.toggle()
            if showsFilters { form.focus(on: "sort") } else { focusOnProducts() }
        case .character("/"): form.focus(on: "search")
        case .character("x") where isNarrowed:
            narrow { $0 = ProductQuery(search: $0.search, sort: $0.sort, facets: $0.facets, limit: $0.limit) }
        default: return false
        }
        return true
    }

    // MARK: - The list

    private func productElements(_ page: ProductPage) -> [FormElement] {
        guard !page.items.isEmpty else { return [.text("Nothing was found.")] }
        let rows = page.items.map { product in
            FormElement.row(
                "product \(product.handle)", StyledText(product.name),
                StyledText(stock: product.available) + "  "
                    + StyledText(price: product.price, before: product.compareAtPrice)
            ) { [unowned self] in go(to: .product(handle: product.handle)) }
        }
        guard page.nextCursor != nil else { return rows }
        return rows + [.button("more", "Show more") { [unowned self] in showMore() }]
    }

    private func showMore() {
        perform("Loading more", (any CatalogMessages).self) { try await $0.catalogShowMore() }
    }

    private func focusOnProducts() {
        if let first = products.value?.items.first { form.focus(on: "product \(first.handle)") }
    }

    // MARK: - Narrowing

    private func search() {
        let words = form["search"].trimmingCharacters(in: .whitespaces)
        form["search"] = words
        focusOnProducts()
        narrow { query in
            query.search = words.isEmpty ? nil : words
            if words.isEmpty, query.sort == .relevance { query.sort = nil }
        }
    }

    private func narrow(_ change: (inout ProductQuery) -> Void) {
        var wanted = query
        change(&wanted)
        wanted.cursor = nil
        wanted.facets = true
        // At once, so that the next key counts from here.
        query = wanted
        perform("Looking", (any CatalogMessages).self, .latest) { try await $0.catalogNarrow(to: wanted) }
    }

    private var isNarrowed: Bool {
        !ListingFilter.all(products.value?.facets ?? [], categories, query).allSatisfy { $0.selected == nil }
            || query.inStock != nil
    }

    private var filterSummary: String {
        let chosen = ListingFilter.all(products.value?.facets ?? [], categories, query).compactMap { filter in
            filter.selected.map { "\(filter.label): \(filter.values[$0].name)" }
        }
        let parts = chosen + (query.inStock == true ? ["in stock only"] : [])
        return "Sorted by \(sortName(query.sort)). "
            + (parts.isEmpty ? "No filters." : "Filters: \(parts.joined(separator: ", ")).")
    }

    private var filterElements: [FormElement] {
        let sorts = ProductSort.allCases.filter { $0 != .relevance || query.search != nil }
        let shown = query.sort ?? (query.search == nil ? .newest : .relevance)
        var elements: [FormElement] = [
            .choice("sort", "Sort by", sorts.map(sortName), selected: sorts.firstIndex(of: shown)) {
                [unowned self] index in
                narrow { $0.sort = sorts[index] }
            },
            .choice("stock", "Show", ["everything", "in stock only"], selected: query.inStock == true ? 1 : 0) {
                [unowned self] index in narrow { $0.inStock = index == 1 ? true : nil }
            },
        ]
        for filter in ListingFilter.all(products.value?.facets ?? [], categories, query) {
            let names = ["any"] + filter.values.map(\.label)
            elements.append(
                .choice(
                    "filter \(filter.name)", filter.label, names, selected: filter.selected.map { $0 + 1 } ?? 0,
                    folds: true
                ) { [unowned self] index in
                    narrow { filter.select(index == 0 ? nil : filter.values[index - 1].value, in: &$0) }
                })
        }
        return elements
    }

    private func sortName(_ sort: ProductSort?) -> String {
        switch sort ?? (query.search == nil ? .newest : .relevance) {
        case .newest: "newest"
        case .priceAscending: "price, low to high"
        case .priceDescending: "price, high to low"
        case .name: "name"
        case .relevance: "relevance"
        }
    }
}
