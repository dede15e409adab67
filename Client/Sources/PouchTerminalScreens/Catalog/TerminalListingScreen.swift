import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalListingScreen: TerminalScreen, ListingScreen {
    var query = ProductQuery() {
        didSet {
            if query.search != oldValue.search { form["search"] = query.search ?? "" }
            if query.minPrice != oldValue.minPrice { form["minPrice"] = query.minPrice?.decimal ?? "" }
            if query.maxPrice != oldValue.maxPrice { form["maxPrice"] = query.maxPrice?.decimal ?? "" }
            redraw()
        }
    }
    var products = LoadState<ProductPage>() {
        didSet {
            // Moves the focus to new results, unless the user is typing a search.
            let isOther = products.value?.items.first?.id != oldValue.value?.items.first?.id
            if isOther, !showsFilters, form["search"] == query.search ?? "" { focusOnProducts() }
            currency = products.value?.items.first?.price.currency ?? currency
            redraw()
        }
    }
    var categories: [PouchEntities.Category] = [] { didSet { redraw() } }
    var seasons: [Season] = [] { didSet { redraw() } }
    var themes: [Theme] = [] { didSet { redraw() } }
    private var showsFilters = false
    /// The shop's currency, known from its prices.
    private var currency: Currency?

    override var title: String {
        guard let id = query.category else { return "All products" }
        return categories.first { $0.id == id }?.name ?? "Products"
    }

    override var hints: [KeyHint] {
        [("Enter", "open"), ("f", showsFilters ? "hide filters" : "filters"), ("/", "search")]
            + (isNarrowed ? [("x", "clear filters")] : [])
    }

    override var elements: [FormElement] {
        var elements = field("search", "Search") { [unowned self] in search() }
        elements += showsFilters ? filterElements : [.note(filterSummary)]
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
        guard !page.items.isEmpty else { return [.text("No matching products.")] }
        let rows = page.items.map { product in
            FormElement.row(
                "product \(product.handle)", StyledText(product.name),
                StyledText(stock: product.available) + "  " + StyledText(priceOf: product)
            ) { [unowned self] in go(to: .product(handle: product.handle)) }
        }
        return rows + more(after: page.nextCursor, ShowMoreProducts())
    }

    private func focusOnProducts() {
        if let first = products.value?.items.first { form.focus(on: "product \(first.handle)") }
    }

    // MARK: - Narrowing

    private func search() {
        let words = text("search")
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
        // Set immediately, so that the next key starts from it.
        query = wanted
        perform("Searching", .latest, sending: NarrowList(to: wanted))
    }

    private var isNarrowed: Bool {
        filters.contains { $0.selected != nil } || query.inStock != nil || query.minPrice != nil
            || query.maxPrice != nil
    }

    private var filters: [ListingFilter] {
        let names = [
            "category": categories.map { ($0.id, $0.name) }, "season": seasons.map { ($0.id, $0.name) },
            "theme": themes.map { ($0.id, $0.name) },
        ].mapValues { Dictionary($0) { first, _ in first } }
        return ListingFilter.all(products.value?.facets ?? [], names, query)
    }

    private var filterSummary: String {
        let chosen = filters.map { filter in
            filter.selected.map { "\(filter.label): \(filter.values[$0].name)" }
        }
        let others = [
            query.inStock == true ? "in stock only" : nil, query.minPrice.map { "from \($0.decimal)" },
            query.maxPrice.map { "up to \($0.decimal)" },
        ]
        let parts = (chosen + others).compactMap(\.self)
        return "Sorted by \(sortName(sort)). "
            + (parts.isEmpty ? "No filters." : "Filters: \(parts.joined(separator: ", ")).")
    }

    private var filterElements: [FormElement] {
        let sorts = ProductSort.allCases.filter { $0 != .relevance || query.search != nil }
        var elements: [FormElement] = [
            .choice("sort", "Sort by", sorts.map(sortName), selected: sorts.firstIndex(of: sort)) {
                [unowned self] index in
                narrow { $0.sort = sorts[index] }
            },
            .choice("stock", "Show", ["everything", "in stock only"], selected: query.inStock == true ? 1 : 0) {
                [unowned self] index in narrow { $0.inStock = index == 1 ? true : nil }
            },
        ]
        elements += field("minPrice", "Price from") { [unowned self] in narrowPrice() }
        elements += field("maxPrice", "Price up to") { [unowned self] in narrowPrice() }
        for filter in filters {
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

    private func narrowPrice() {
        guard let currency else { return }
        var limits: [Money?] = []
        for field in ["minPrice", "maxPrice"] {
            let price = Money(decimal: text(field), currency: currency)
            guard text(field).isEmpty || price.map({ $0.amount >= 0 }) == true else {
                return refuse(field, "Enter an amount such as \(Money(4299, currency).decimal), or leave it empty.")
            }
            limits.append(price)
        }
        if let lowest = limits[0], let highest = limits[1], lowest.amount > highest.amount {
            return refuse("maxPrice", "This is less than the minimum price.")
        }
        narrow { ($0.minPrice, $0.maxPrice) = (limits[0], limits[1]) }
    }

    /// The order of the list, also if the query leaves it to the shop.
    private var sort: ProductSort { query.sort ?? (query.search == nil ? .newest : .relevance) }

    private func sortName(_ sort: ProductSort) -> String {
        switch sort {
        case .newest: "newest"
        case .priceAscending: "price, low to high"
        case .priceDescending: "price, high to low"
        case .name: "name"
        case .relevance: "relevance"
        }
    }
}
