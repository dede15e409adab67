import Foundation
import PouchContract
import PouchDomain
import PouchEntities

/// The public catalogue.
struct CatalogHandlers {
    let store: any Store
    let shop: ShopSettings
    let time: any TimeSource
    let pages: ListPager

    func shopProfile(_ call: OpenCall<Void>) -> ShopProfile {
        ShopProfile(currency: shop.currency, country: shop.country, timeZone: shop.timeZone.identifier)
    }

    func seasons(_ call: OpenCall<PageQuery>, from catalog: CatalogReading) throws -> Page<Season> {
        try pages.page(of: catalog.seasons, list: "seasons", call.input, key: \.id)
    }

    func themes(_ call: OpenCall<SeasonQuery>, from catalog: CatalogReading) throws -> Page<Theme> {
        let query = call.input
        return try pages.page(of: catalog.themes(season: query.season), list: "themes", query.page, key: \.id)
    }

    func categories(_ call: OpenCall<SeasonQuery>, from catalog: CatalogReading) throws -> Page<PouchEntities.Category>
    {
        let query = call.input
        return try pages.page(of: catalog.categories(season: query.season), list: "categories", query.page, key: \.id)
    }

    func promotions(_ call: OpenCall<PageQuery>, from catalog: CatalogReading) throws -> Page<Promotion> {
        try pages.page(of: catalog.promotions, list: "promotions", call.input) {
            String(format: "%06d", $0.position)
        }
    }

    func products(_ call: OpenCall<ProductQuery>, from catalog: CatalogReading) throws -> ProductPage {
        let query = call.input
        let cursors = pages.cursors
        let position = try query.cursor.map { try cursors.position(ProductPosition.self, from: $0, for: "products") }
        let listing = try catalog.page(query, after: position)
        return ProductPage(
            items: listing.items,
            nextCursor: try listing.next.map { try cursors.cursor($0, for: "products") },
            facets: listing.facets)
    }

    func product(_ call: OpenCall<NoQuery>, from catalog: CatalogReading) throws -> Product {
        guard let product = catalog.product(handle: try call.parameter("handle")) else { throw DomainError.notFound }
        return product
    }

    /// Reads the database, because the numbers must be exact.
    func availability(_ call: OpenCall<AvailabilityQuery>) async throws -> Page<Availability> {
        let skus = call.input.skus
        let offers = try await store.read { [time] repositories in
            try repositories.offers(skus: skus, at: time.now)
        }
        return Page(
            items: skus.map { sku in
                offers[sku].map { Availability(sku: sku, price: $0.offer.price, available: $0.offer.available) }
                    ?? Availability(unknown: sku)
            })
    }
}
