import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// The public catalogue.
    static func addCatalog(to routes: RouteRegistrar, _ services: ShopServices) {
        let (store, shop, time) = (services.store, services.environment.shop, services.environment.time)
        let pages = routes.pages
        routes(Contract.shop).open { _ in
            ShopProfile(currency: shop.currency, country: shop.country, timeZone: shop.timeZone.identifier)
        }
        routes(Contract.seasons).cached { call, catalog in
            try pages.page(of: catalog.seasons, list: "seasons", call.input, key: \.id)
        }
        routes(Contract.themes).cached { call, catalog in
            try pages.page(
                of: catalog.themes(season: call.input.season), list: "themes", call.input.page, key: \.id)
        }
        routes(Contract.categories).cached { call, catalog in
            try pages.page(
                of: catalog.categories(season: call.input.season), list: "categories", call.input.page, key: \.id)
        }
        routes(Contract.promotions).cached { call, catalog in
            try pages.page(of: catalog.promotions, list: "promotions", call.input) {
                String(format: "%06d", $0.position)
            }
        }
        routes(Contract.products).cached { call, catalog in
            let cursors = pages.cursors
            let position = try call.input.cursor.map {
                try cursors.position(ProductPosition.self, from: $0, for: "products")
            }
            let listing = try catalog.page(call.input, after: position)
            return ProductPage(
                items: listing.items,
                nextCursor: try listing.next.map { try cursors.cursor($0, for: "products") },
                facets: listing.facets)
        }
        routes(Contract.product).cached { call, catalog in
            try catalog.product(handle: call.parameter("handle")).orNotFound()
        }
        // Reads the database, because the numbers must be exact.
        routes(Contract.availability).open { call in
            let skus = call.input.skus
            let offers = try await store.read { try $0.offers(skus: skus, at: time.now) }
            return Page(
                items: skus.map { sku in
                    offers[sku].map { Availability(sku: sku, price: $0.offer.price, available: $0.offer.available) }
                        ?? Availability(unknown: sku)
                })
        }
        routes(Contract.asset).serve(AssetHandler(store: store).asset)
    }
}
