import Foundation
import PouchContract
import PouchDomain
import PouchEntities

/// The public catalogue.
struct CatalogHandlers {
    let store: any Store
    let time: any TimeSource
    let pages: ListPager

    func seasons(_ call: OpenCall<Void>, from snapshot: CatalogSnapshot) throws -> Page<Season> {
        try pages.page(of: snapshot.seasons, list: "seasons", call.query(PageQuery.self), key: \.id)
    }

    func themes(_ call: OpenCall<Void>, from snapshot: CatalogSnapshot) throws -> Page<Theme> {
        let query = try call.query(SeasonQuery.self)
        return try pages.page(of: snapshot.themes(season: query.season), list: "themes", query.page, key: \.id)
    }

    func categories(_ call: OpenCall<Void>, from snapshot: CatalogSnapshot) throws -> Page<PouchEntities.Category> {
        let query = try call.query(SeasonQuery.self)
        return try pages.page(of: snapshot.categories(season: query.season), list: "categories", query.page, key: \.id)
    }

    func promotions(_ call: OpenCall<Void>, from snapshot: CatalogSnapshot) throws -> Page<Promotion> {
        try pages.page(of: snapshot.promotions, list: "promotions", call.query(PageQuery.self)) {
            String(format: "%06d", $0.position)
        }
    }

    func products(_ call: OpenCall<Void>, from snapshot: CatalogSnapshot) throws -> ProductPage {
        let query = try call.query(ProductQuery.self, currency: snapshot.currency)
        let cursors = pages.cursors
        let position = try query.cursor.map { try cursors.position(ProductPosition.self, from: $0, for: "products") }
        let listing = try snapshot.page(query, after: position)
        return ProductPage(
            items: listing.items,
            nextCursor: try listing.next.map { try cursors.cursor($0, for: "products") },
            facets: listing.facets)
    }

    func product(_ call: OpenCall<Void>, from snapshot: CatalogSnapshot) throws -> Product {
        _ = try call.query(NoQuery.self)
        guard let product = snapshot.product(handle: try call.parameter("handle")) else { throw DomainError.notFound }
        return product
    }

    /// Reads the database, because the figures must be exact.
    func availability(_ call: OpenCall<Void>) async throws -> Page<Availability> {
        let skus = try call.query(AvailabilityQuery.self).skus
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
