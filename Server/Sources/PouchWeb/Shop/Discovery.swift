import Foundation
import Hummingbird
import Mustache
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the documents that help search engines, feed readers and assistants to find the shop's pages.
    func addDiscovery() {
        catalog("/feed.xml") { try NewProductsFeed(visit: $0, catalog: $1).content }
        catalog("/sitemap.xml") { [site] in SiteMap(site: site, catalog: $1).content }
        catalog("/sitemap-{page}") { [site] visit, catalog in
            let name = try visit.parameter("page")
            // Accepts only one spelling, because each name of a part is rendered and cached separately.
            guard let number = Int(name.prefix { $0 != "." }), name == "\(number).xml" else {
                throw RequestProblem(.notFound)
            }
            return try SiteMap(site: site, catalog: catalog).page(number)
        }
        catalog("/robots.txt") { visit, _ in
            PageContent(
                RobotsValues(siteMap: visit.site.absolute("/sitemap.xml")), mediaType: "text/plain; charset=utf-8")
        }
        catalog("/llms.txt") { LLMsText(visit: $0, catalog: $1).content }
    }
}

struct RobotsValues: PageModel {
    let siteMap: String
}

// MARK: Feed

struct FeedValues: PageModel {
    struct Entry: TemplateValues {
        let name, url, updated, price: String
        let summary, picture: String?
    }

    let url, home, updated: String
    let entries: [Entry]
}

/// The latest products as a feed (Atom, RFC 4287).
private struct NewProductsFeed {
    private static let entries = 50

    let visit: Visit
    let catalog: CatalogReading

    var content: PageContent {
        get throws {
            let products = try catalog.page(ProductQuery(sort: .newest, limit: Self.entries), after: nil).items
            let latest = products.map(\.updatedAt).max() ?? Date(timeIntervalSince1970: 0)
            let values = FeedValues(
                url: visit.site.absolute(PagePath.feed(visit.language)), home: visit.site.absolute("/"),
                updated: Self.time(latest), entries: products.map(entry))
            return PageContent(
                values, title: visit.text("feed-title"), mediaType: "application/atom+xml; charset=utf-8")
        }
    }

    private func entry(_ product: Product) -> FeedValues.Entry {
        FeedValues.Entry(
            name: product.name, url: visit.site.absolute(PagePath.product(product.handle)),
            updated: Self.time(product.updatedAt), price: ProductValues(visit: visit).price(product),
            summary: product.description,
            picture: product.images.first.flatMap(ProductValues.address).map(visit.site.absolute))
    }

    private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}

// MARK: Site map

struct SiteMapValues: PageModel {
    /// One of up to 50,000 entries. It returns its values itself, which is faster than a mirror and a dictionary.
    struct Entry: TemplateValues, MustacheParent {
        let url: String
        let updated: String?

        var forTemplate: Any { self }

        func child(named name: String) -> Any? {
            switch name {
            case "url": url.forTemplate
            case "updated": updated.forTemplate
            default: nil
            }
        }
    }

    let entries: [Entry]
}

struct SiteMapIndexValues: PageModel {
    struct Page: TemplateValues {
        let url: String
    }

    let pages: [Page]
}

/// The addresses of all products, categories and seasons, for search engines (sitemaps.org).
private struct SiteMap {
    private static let mediaType = "application/xml; charset=utf-8"

    let site: Site
    let catalog: CatalogReading

    /// The addresses before those of the products.
    private var places: [String] {
        ["/", PagePath.products] + catalog.categories(season: nil).map { PagePath.category($0.id) }
            + catalog.seasons.map { PagePath.season($0.id) }
    }

    private var most: Int { site.settings.siteMapEntries }

    /// All addresses, or the list of parts if there are too many for one.
    var content: PageContent {
        let (places, products) = (places, catalog.heads)
        let count = places.count + products.count
        guard count > most else { return map(places, products[...]) }
        let pages = (count + most - 1) / most
        return PageContent(
            SiteMapIndexValues(pages: (1...pages).map { .init(url: site.absolute("/sitemap-\($0).xml")) }),
            mediaType: Self.mediaType)
    }

    /// - Parameter number: the number of the part, from 1.
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
        var entries = places.map { SiteMapValues.Entry(url: site.absolute($0), updated: nil) }
        entries += products.map { product in
            SiteMapValues.Entry(
                url: site.absolute(PagePath.product(product.handle)), updated: product.updatedAt.formatted(.iso8601))
        }
        return PageContent(SiteMapValues(entries: entries), mediaType: Self.mediaType)
    }
}

// MARK: For assistants

struct LLMsValues: PageModel {
    struct Category: TemplateValues {
        let name, url, count: String
    }

    let home, currency, country, products, search: String
    let categories: [Category]
    let seasons: [CollectionLink]
}

/// A description of the shop in plain text (llmstxt.org), for assistants that shop on someone's behalf.
private struct LLMsText {
    let visit: Visit
    let catalog: CatalogReading

    var content: PageContent {
        let categories = catalog.categories(season: nil)
        let values = LLMsValues(
            home: visit.site.settings.publicURL, currency: visit.site.shop.currency.code,
            country: visit.site.shop.country,
            products: visit.site.absolute(PagePath.products), search: visit.site.absolute(PagePath.search),
            categories: categories.map { category in
                .init(
                    name: category.name.singleLine, url: visit.site.absolute(PagePath.category(category.id)),
                    count: visit.language.number(category.productCount))
            },
            seasons: catalog.seasons.map { season in
                .init(name: season.name.singleLine, url: visit.site.absolute(PagePath.season(season.id)))
            })
        return PageContent(values, mediaType: "text/plain; charset=utf-8")
    }
}
