import PouchDomain
import PouchEntities
import PouchTemplates

struct SuggestionsValues: PageModel {
    static let template = "suggestions"

    let products: [ProductCard]
    let allUrl, allText: String
}

/// The products that the search field suggests while a visitor types: a page fragment, without a frame.
struct SearchSuggestions {
    private static let products = 6

    let site: Site
    let visit: Visit
    let catalog: CatalogReading

    var content: PageContent {
        let list = ProductList(.search, visit, catalog, [])
        let found = list.query.search.flatMap { text in
            try? catalog.page(ProductQuery(search: text, limit: Self.products), after: nil).items
        }
        let values = ProductValues(site: site, visit: visit)
        let products = (found ?? []).map { values.card($0) }
        let all = PagePath.adding([("q", list.query.search)], to: PagePath.search)
        return PageContent(
            SuggestionsValues(
                products: products, allUrl: all,
                allText: site.text("suggestions-all", visit, list.query.search ?? "")),
            title: "")
    }
}
