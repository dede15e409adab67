import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    func addProductLists() {
        let parameters = ProductList.parameters
        catalog("/products", parameters: parameters) { visit, catalog in
            try ProductListPage(visit, catalog) { _ in .all }.content
        }
        catalog("/category/{id}", parameters: parameters) { visit, catalog in
            let id = try visit.parameter("id")
            return try ProductListPage(visit, catalog) { categories in
                categories.first { $0.id == id }.map { .category($0) }
            }.content
        }
        catalog("/season/{id}", parameters: parameters) { visit, catalog in
            let id = try visit.parameter("id")
            return try ProductListPage(visit, catalog) { _ in
                catalog.seasons.first { $0.id == id }.map { .season($0) }
            }.content
        }
        catalog("/search", parameters: parameters + ["fragment"]) { visit, catalog in
            if visit.query("fragment") == "suggestions" {
                return SearchSuggestions(visit: visit, catalog: catalog).content
            }
            return try ProductListPage(visit, catalog) { _ in .search }.content
        }
    }
}

struct ProductListValues: PageModel {
    let heading: String
    let breadcrumb: [Breadcrumb.Step]
    let themes: [PageFrame.MenuLink]
    let formAction: String
    let hiddenFields: [HiddenField]
    let facets: [Filter]
    let priceRange: PriceRange?
    let isInStockOnly: Bool
    let sorts: [Choice.Values]
    let activeFilters: [ActiveFilter]
    let clearUrl, resultText: String
    let products: [ProductCard]
    let pager: PagerLinks?
    let isEmptyShop: Bool
    let searchText: String
}

/// The page of a product list, with filters.
struct ProductListPage {
    /// The number of products whose pictures browsers load immediately.
    private static let eagerPictures = 4

    private let visit: Visit
    private let catalog: CatalogReading
    private let categories: [PouchEntities.Category]
    private let list: ProductList

    /// - Parameter place: finds the list's place among the categories of the catalogue.
    /// - Throws: `RequestProblem` if there is no such place.
    init(_ visit: Visit, _ catalog: CatalogReading, place: ([PouchEntities.Category]) -> ProductList.Place?) throws {
        (self.visit, self.catalog) = (visit, catalog)
        categories = catalog.categories(season: nil)
        guard let place = place(categories) else { throw RequestProblem(.notFound) }
        list = ProductList(place, visit, catalog, categories)
    }

    var content: PageContent {
        get throws {
            let page = try list.page(catalog, visit.site)
            let products = ProductValues(visit: visit)
            let filters = ProductListFilters(list: list, visit: visit, catalog: catalog, categories: categories)
            let active = filters.active
            let facets = page.listing.facets ?? []
            let themes = themes
            let items = page.listing.items
            let breadcrumb = breadcrumb
            let chosen = Set(list.query.options.values.joined().map { $0.lowercased() })
            let values = ProductListValues(
                heading: heading, breadcrumb: breadcrumb.values(visit), themes: themes, formAction: list.path,
                hiddenFields: hiddenFields, facets: filters.facets(facets, of: items), priceRange: filters.priceRange,
                isInStockOnly: list.query.inStock == true, sorts: sorts, activeFilters: active, clearUrl: list.clearURL,
                resultText: resultText(page.listing, facets),
                products: items.enumerated().map {
                    products.card($1, isEager: $0 < Self.eagerPictures, showing: chosen)
                },
                pager: pager(page, count(facets)), isEmptyShop: categories.isEmpty,
                searchText: list.query.search ?? "")
            var content = PageContent(values, title: heading)
            content.description = description
            content.address = list.url(cursor: list.cursor)
            // Search engines find all products in unfiltered lists and in the site map.
            let isPlain = active.isEmpty && list.query.sort == nil && list.cursor == nil && !list.isSearch
            content.canonicalPath = isPlain && !items.isEmpty ? list.url() : nil
            content.picture = items.first?.images.first.flatMap(ProductValues.address)
            content.facts = StructuredData.text([
                breadcrumb.facts(visit),
                StructuredData.list(items.map { visit.site.absolute(PagePath.product($0.handle)) }),
            ])
            return content
        }
    }

    // MARK: Head

    private var theme: Theme? {
        list.query.theme.flatMap { id in catalog.themes(season: list.query.season).first { $0.id == id } }
    }

    private var heading: String {
        switch list.place {
        case .all: visit.text("all-products")
        case .category(let category): category.name
        case .season(let season): theme?.name ?? season.name
        case .search:
            list.query.search.map { visit.text("search-title", $0) } ?? visit.text("search-submit")
        }
    }

    private var breadcrumb: Breadcrumb {
        guard case .season(let season) = list.place, theme != nil else { return Breadcrumb([(heading, list.path)]) }
        return Breadcrumb([(season.name, list.path), (heading, list.url())])
    }

    private var description: String? {
        switch list.place {
        case .all: visit.text("list-description-all", visit.site.settings.shopName)
        case .category(let category):
            visit.text(
                "list-description", category.name, visit.site.settings.shopName,
                visit.language.number(category.productCount))
        case .season: visit.text("list-description-season", heading, visit.site.settings.shopName)
        case .search: nil
        }
    }

    /// The themes of a season.
    private var themes: [PageFrame.MenuLink] {
        guard case .season(let season) = list.place else { return [] }
        return catalog.themes(season: season.id).map { theme in
            .init(
                name: theme.name, url: PagePath.season(season.id, theme: theme.id),
                isCurrent: theme.id == list.query.theme)
        }
    }

    // MARK: Choices

    /// Choices outside the form that are kept when the form is sent.
    private var hiddenFields: [HiddenField] {
        [("q", list.query.search), ("theme", list.query.theme)].compactMap { name, value in
            value.map { HiddenField(name, $0) }
        }
    }

    private var sorts: [Choice.Values] {
        let isSearch = list.query.search != nil
        let chosen = list.query.sort ?? (isSearch ? .relevance : .newest)
        return ProductSort.allCases.filter { isSearch || $0 != .relevance }.map { sort in
            Choice(sort.rawValue, visit.text(Self.textKey(sort)))
        }.values(chosen: chosen.rawValue)
    }

    private static func textKey(_ sort: ProductSort) -> String {
        switch sort {
        case .newest: "sort-newest"
        case .priceAscending: "sort-cheapest"
        case .priceDescending: "sort-dearest"
        case .name: "sort-name"
        case .relevance: "sort-relevance"
        }
    }

    // MARK: Counts and pages

    /// The number of products in the whole list: the sum over the categories, since each product has one. nil if the
    /// facet may be incomplete.
    private func count(_ facets: [Facet]) -> Int? {
        let values = facets.first { $0.name == "category" }?.values ?? []
        if let category = list.query.category { return values.first { $0.value == category }?.count }
        return values.count < Self.maxFacetValues ? values.reduce(0) { $0 + $1.count } : nil
    }

    /// The maximum number of values in a facet. A facet with this many may omit less frequent values.
    private static let maxFacetValues = 100

    private func resultText(_ listing: ProductListing, _ facets: [Facet]) -> String {
        guard let count = count(facets) ?? (listing.items.isEmpty ? 0 : nil) else { return "" }
        return count == 1
            ? visit.text("count-one-product")
            : visit.text("count-products", visit.language.number(count))
    }

    /// - Returns: nil if there is only one page.
    private func pager(_ page: (listing: ProductListing, start: Int, next: String?), _ count: Int?) -> PagerLinks? {
        guard page.next != nil || page.start > 0 else { return nil }
        let numbers = [page.start + 1, page.start + page.listing.items.count].map(visit.language.number)
        let text = count.map { visit.text("list-range-of", numbers[0], numbers[1], visit.language.number($0)) }
        return PagerLinks(
            text: text ?? visit.text("list-range", numbers[0], numbers[1]),
            firstUrl: page.start > 0 ? list.url() : nil, nextUrl: page.next)
    }
}

struct SuggestionsValues: PageModel {
    let products: [ProductCard]
    let allUrl, allText: String
}

/// The products that the search field suggests while a visitor types: a page fragment, without a frame.
struct SearchSuggestions {
    private static let products = 6

    let visit: Visit
    let catalog: CatalogReading

    var content: PageContent {
        let list = ProductList(.search, visit, catalog, [])
        let found = list.query.search.flatMap { text in
            try? catalog.page(ProductQuery(search: text, limit: Self.products), after: nil).items
        }
        let values = ProductValues(visit: visit)
        let products = (found ?? []).map { values.card($0) }
        let all = PagePath.adding([("q", list.query.search)], to: PagePath.search)
        return PageContent(
            SuggestionsValues(
                products: products, allUrl: all,
                allText: visit.text("suggestions-all", list.query.search ?? "")),
            title: "")
    }
}
