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
            try pages.page(of: snapshot.seasons, list: "seasons", call.page(), key: \.id)
        }
        cached(Contract.themes) { call, snapshot in
            let (season, page) = try seasonQuery(call)
            return try pages.page(of: snapshot.themes(season: season), list: "themes", page, key: \.id)
        }
        cached(Contract.categories) { call, snapshot in
            let (season, page) = try seasonQuery(call)
            return try pages.page(of: snapshot.categories(season: season), list: "categories", page, key: \.id)
        }
        cached(Contract.promotions) { call, snapshot in
            try pages.page(of: snapshot.promotions, list: "promotions", call.page()) {
                String(format: "%06d", $0.position)
            }
        }
        cached(Contract.product) { call, snapshot in
            try call.query().finish()
            guard let product = snapshot.product(handle: try call.parameter("handle")) else {
                throw DomainError.notFound
            }
            return product
        }
        cached(Contract.products) { call, snapshot in try products(call, snapshot) }
        routes.open(Contract.availability) { call in try await availability(call) }
    }

    private func products(_ call: Call<Void>, _ snapshot: CatalogSnapshot) throws -> ProductPage {
        let query = try ProductQuery(call.queryString())
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
        var query = try call.query()
        let skus = query.list("sku")
        try query.finish()
        guard Limits.availabilitySKUs.contains(skus.count) else {
            throw QueryProblem(
                name: "sku",
                detail: "Name from \(Limits.availabilitySKUs.lowerBound) to \(Limits.availabilitySKUs.upperBound) SKUs."
            )
        }
        let offers = try await services.store.read { try $0.catalog.offers(skus: skus, at: services.time.now) }
        let bySKU = Dictionary(offers.map { ($0.sku, $0) }, uniquingKeysWith: { first, _ in first })
        return Page(
            items: skus.map { sku in
                bySKU[sku].map { Availability(sku: sku, price: $0.price, available: $0.available) }
                    ?? Availability(unknown: sku)
            })
    }

    private func seasonQuery(_ call: Call<Void>) throws -> (season: String?, page: (limit: Int?, cursor: String?)) {
        var query = try call.query()
        let season = try query.text("season")
        let page = try query.page()
        try query.finish()
        return (season, page)
    }
}
