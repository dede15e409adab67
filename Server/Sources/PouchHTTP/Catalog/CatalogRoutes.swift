import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// What anybody may read.
struct CatalogRoutes {
    let services: ShopServices
    let cursors: CursorSigner
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let (answers, digests) = (EncodedAnswers(catalog: services.catalog), services.digests)
        func cached<Answer: Encodable>(
            _ exchange: Exchange<NoBody, Answer>,
            _ make: @escaping @Sendable (Call<Void>, CatalogSnapshot) throws -> Answer
        ) {
            routes.open(exchange.endpoint) { call in
                try await answers.response(to: call.request) { try EncodedAnswer(make(call, $0), digests: digests) }
            }
        }
        cached(Contract.seasons) { call, snapshot in
            try pages.page(of: snapshot.seasons, list: "seasons", call.query(PageQuery.self), key: \.id)
        }
        cached(Contract.themes) { call, snapshot in
            let query = try call.query(SeasonQuery.self)
            return try pages.page(of: snapshot.themes(season: query.season), list: "themes", query.page, key: \.id)
        }
        cached(Contract.categories) { call, snapshot in
            let query = try call.query(SeasonQuery.self)
            return try pages.page(
                of: snapshot.categories(season: query.season), list: "categories", query.page, key: \.id)
        }
        cached(Contract.promotions) { call, snapshot in
            try pages.page(of: snapshot.promotions, list: "promotions", call.query(PageQuery.self)) {
                String(format: "%06d", $0.position)
            }
        }
        cached(Contract.product) { call, snapshot in
            _ = try call.query(NoQuery.self)
            guard let product = snapshot.product(handle: try call.parameter("handle")) else {
                throw DomainError.notFound
            }
            return product
        }
        cached(Contract.products) { call, snapshot in try products(call, snapshot) }
        routes.open(Contract.availability) { call in try await availability(call) }
    }

    private func products(_ call: Call<Void>, _ snapshot: CatalogSnapshot) throws -> ProductPage {
        let query = try call.query(ProductQuery.self)
        let position = try query.cursor.map {
            try cursors.position(ProductPosition.self, from: $0, for: "products")
        }
        let listing = try snapshot.page(query, after: position)
        return ProductPage(
            items: listing.items,
            nextCursor: try listing.next.map { try cursors.cursor($0, for: "products") },
            facets: listing.facets)
    }

    /// Exact figures, from the database.
    private func availability(_ call: Call<Void>) async throws -> Page<Availability> {
        let skus = try call.query(AvailabilityQuery.self).skus
        let offers = try await services.store.read { [time = services.time] repositories in
            try repositories.offers(skus: skus, at: time.now)
        }
        return Page(
            items: skus.map { sku in
                offers[sku].map { Availability(sku: sku, price: $0.offer.price, available: $0.offer.available) }
                    ?? Availability(unknown: sku)
            })
    }
}
