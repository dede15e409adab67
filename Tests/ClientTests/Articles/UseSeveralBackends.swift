import Foundation
import PouchClient

/// Promotions of an advertiser, which knows products by their style codes.
struct Advertiser: PromotionSource {
    struct Advertisement: Decodable, Sendable {
        let style: String
        let picture: String
        let text: String
    }

    let read: @Sendable () async throws -> [Advertisement]

    func promotions(find: @escaping ProductFinder) async throws(DataError) -> Dated<[Promotion]> {
        let advertisements: [Advertisement]
        do {
            advertisements = try await read()
        } catch {
            throw DataError(.unreachable, log: "the advertiser: \(error)")
        }
        let products = try await find(Set(advertisements.map(\.style)))
        let promotions = advertisements.compactMap { advertisement in
            products[advertisement.style].map { product in
                Promotion(
                    product: product, image: ProductImage(url: advertisement.picture, alt: advertisement.text),
                    position: 0)
            }
        }
        return Dated(promotions)
    }
}

func makeShop(
    server: URL, feed: URL, transport: any Transport = StandardTransport(), advertiser: Advertiser
) -> Pouch {
    Pouch(
        server: server, transport: transport,
        catalog: { _ in FeedSource(feed: feed, transport: transport) },
        promotions: { [$0, advertiser] },
        assets: feed)
}

/// The articles of a till, which is read as a whole.
struct TillCatalog: CatalogSource {
    struct Article: Decodable, Sendable {
        let number: String
        let name: String
        let group: String
        let cents: Int64
        let units: Int
    }

    let read: @Sendable () async throws -> [Article]

    var answersQueries: Bool { false }

    func readAll(
        at now: Date, newerThan known: Date?, _ receive: ProductReceiver
    ) async throws(DataError) -> Dated<CatalogTaxonomy?> {
        let articles: [Article]
        do {
            articles = try await read()
        } catch {
            throw DataError(.unreachable, log: "the till: \(error)")
        }
        try await receive(articles.map { product($0, now) }, articles.count)
        let groups = Dictionary(grouping: articles, by: \.group)
        let categories = groups.map { Category(id: $0, name: $0.capitalized, productCount: $1.count) }
        return Dated(CatalogTaxonomy(categories: categories.sorted { $0.id < $1.id }))
    }

    private func product(_ article: Article, _ now: Date) -> Product {
        let price = Money(article.cents, .eur)
        return Product(
            id: article.number, handle: article.number, name: article.name, category: article.group, tags: [],
            price: price, options: [], images: [], updatedAt: now,
            variants: [Variant(sku: article.number, options: [:], price: price, available: article.units)])
    }
}
