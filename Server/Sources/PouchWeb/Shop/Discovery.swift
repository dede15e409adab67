import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// The documents by which programs find the shop's pages: search engines, readers of feeds, and assistants.
    func addDiscovery() {
        catalog("/feed.xml") { [site] in try NewProductsFeed(site: site, visit: $0, catalog: $1).content }
        catalog("/sitemap.xml") { [site] in SiteMap(site: site, catalog: $1).content }
        catalog("/sitemap-{page}") { [site] visit, catalog in
            let name = try visit.parameter("page")
            // Written in one way only: each name of a part is rendered and kept by itself.
            guard let number = Int(name.prefix { $0 != "." }), name == "\(number).xml" else {
                throw RequestProblem(.notFound)
            }
            return try SiteMap(site: site, catalog: catalog).page(number)
        }
        catalog("/robots.txt") { [site] _, _ in
            var content = PageContent("robots.txt", title: "", ["siteMap": site.absolute("/sitemap.xml")])
            content.mediaType = "text/plain; charset=utf-8"
            return content
        }
        catalog("/llms.txt") { [site] in LLMsText(site: site, visit: $0, catalog: $1).content }
    }
}

/// The latest products as a feed (Atom, RFC 4287).
private struct NewProductsFeed {
    private static let entries = 50

    let site: Site
    let visit: Visit
    let catalog: CatalogReading

    var content: PageContent {
        get throws {
            let products = try catalog.page(ProductQuery(sort: .newest, limit: Self.entries), after: nil).items
            let latest = products.map(\.updatedAt).max() ?? Date(timeIntervalSince1970: 0)
            var content = PageContent(
                "feed", title: site.text("feed-title", visit),
                [
                    "url": site.absolute(PagePath.feed(visit.language)), "home": site.absolute("/"),
                    "updated": Self.time(latest),
                    "entries": products.map(entry),
                ])
            content.mediaType = "application/atom+xml; charset=utf-8"
            return content
        }
    }

    private func entry(_ product: Product) -> PageValues {
        let texts = ProductValues(site: site, visit: visit)
        var values: PageValues = [
            "name": product.name, "url": site.absolute(PagePath.product(product.handle)),
            "updated": Self.time(product.updatedAt), "price": texts.price(product),
        ]
        values["summary"] = product.description
        values["picture"] = product.images.first.flatMap(ProductValues.address).map(site.absolute)
        return values
    }

    private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}

/// The addresses of all products, categories and seasons, for search engines (sitemaps.org).
private struct SiteMap {
    let site: Site
    let catalog: CatalogReading

    private struct Entry {
        let path: String
        var updatedAt: Date?
    }

    /// The addresses in front of those of products.
    private var places: [String] {
        ["/", PagePath.products] + catalog.categories(season: nil).map { PagePath.category($0.id) }
            + catalog.seasons.map { PagePath.season($0.id) }
    }

    private var most: Int { site.settings.siteMapEntries }

    /// All addresses, or the list of pages if they are too many for one.
    var content: PageContent {
        let (places, products) = (places, catalog.heads)
        let count = places.count + products.count
        guard count > most else { return map(places, products[...]) }
        let pages = (count + most - 1) / most
        let urls = (1...pages).map { site.absolute("/sitemap-\($0).xml") }
        return Self.xml("sitemap-index", ["pages": urls.map { ["url": $0] as PageValues }])
    }

    /// - Parameter number: from 1.
    /// - Throws: `RequestProblem` for a page number that does not exist.
    func page(_ number: Int) throws -> PageContent {
        let (places, products) = (places, catalog.heads)
        let count = places.count + products.count
        guard number > 0, count > most, number <= (count + most - 1) / most else { throw RequestProblem(.notFound) }
        let start = (number - 1) * most
        let first = places.dropFirst(start).prefix(most)
        return map(Array(first), products.dropFirst(max(0, start - places.count)).prefix(most - first.count))
    }

    private func map(_ places: [String], _ products: ArraySlice<Product>) -> PageContent {
        let entries =
            places.map { Entry(path: $0) }
            + products.map { Entry(path: PagePath.product($0.handle), updatedAt: $0.updatedAt) }
        let urls = entries.map { entry in
            var values: PageValues = ["url": site.absolute(entry.path)]
            values["updated"] = entry.updatedAt?.formatted(.iso8601)
            return values
        }
        return Self.xml("sitemap", ["entries": urls])
    }

    private static func xml(_ template: String, _ values: PageValues) -> PageContent {
        var content = PageContent(template, title: "", values)
        content.mediaType = "application/xml; charset=utf-8"
        return content
    }
}

/// A description of the shop in plain text (llmstxt.org), for assistants that shop for someone.
private struct LLMsText {
    let site: Site
    let visit: Visit
    let catalog: CatalogReading

    var content: PageContent {
        let categories = catalog.categories(season: nil)
        var content = PageContent(
            "llms.txt", title: "",
            [
                "home": site.settings.publicURL, "currency": site.shop.currency.code, "country": site.shop.country,
                "products": site.absolute(PagePath.products), "search": site.absolute(PagePath.search),
                "hasCategories": !categories.isEmpty, "hasSeasons": !catalog.seasons.isEmpty,
                "categories": categories.map { category -> PageValues in
                    [
                        "name": category.name.singleLine, "url": site.absolute(PagePath.category(category.id)),
                        "count": visit.language.number(category.productCount),
                    ]
                },
                "seasons": catalog.seasons.map { season -> PageValues in
                    ["name": season.name.singleLine, "url": site.absolute(PagePath.season(season.id))]
                },
            ])
        content.mediaType = "text/plain; charset=utf-8"
        return content
    }
}
