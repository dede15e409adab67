import Foundation
import PouchCoordination
import PouchData
import PouchEntities
import PouchManagers
import PouchScreens

/// Shows the catalogue: home, listings, products.
@MainActor
public final class CatalogCoordinator: ShopCoordinator {
    public override func didStart() {
        let home = factory.makeHomeScreen()
        home.promotions = .loading
        home.categories = .loading
        display(home)
    }

    override func go(to page: ShopPage) async throws {
        try await show(page)
    }

    override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        let catalog = try needed(\.catalog)
        switch screen {
        case let home as any HomeScreen: await load(home, from: catalog)
        case let listing as any ListingScreen: await load(listing, from: catalog)
        case let product as any ProductScreen: await load(product, from: catalog)
        default: try await super.load(screen)
        }
    }

    private func load(_ home: any HomeScreen, from catalog: CatalogManager) async {
        async let promotions: Void = loadPromotions(of: home, from: catalog)
        await fill(\(any HomeScreen).categories, of: home) { () throws(DataError) in
            let now = dependency?.now() ?? .now
            home.season = try await catalog.seasons().first { $0.isOn(at: now) }
            return try await catalog.categories(season: home.season?.id)
        }
        await promotions
    }

    private func loadPromotions(of home: any HomeScreen, from catalog: CatalogManager) async {
        await fill(\(any HomeScreen).promotions, of: home) { () throws(DataError) in
            try await catalog.promotions()
        }
    }

    private func load(_ listing: any ListingScreen, from catalog: CatalogManager) async {
        var query = listing.query
        query.cursor = nil
        query.facets = true
        let meant = listing.query
        listing.products.begin()
        do throws(DataError) {
            if listing.categories.isEmpty { listing.categories = (try? await catalog.categories()) ?? [] }
            let page = try await catalog.products(query)
            // Somebody may have narrowed it further meanwhile.
            if listing.query == meant { listing.products.finish(page) }
        } catch {
            if listing.query == meant { listing.products.fail(error) }
        }
    }

    private func load(_ screen: any ProductScreen, from catalog: CatalogManager) async {
        await fill(\(any ProductScreen).product, of: screen) { () throws(DataError) in
            try await catalog.product(handle: screen.handle)
        }
        let skus = (screen.product.value?.variants ?? []).prefix(100).map(\.sku)
        // The product's own figures, which are a little older, do as well.
        if !skus.isEmpty, let exact = try? await catalog.availability(of: skus) { screen.availability = exact }
    }
}

extension CatalogCoordinator: NavigationMessages {
    public func show(_ page: ShopPage) async throws {
        switch page {
        case .home:
            if let home = screens.first { pop(to: home) }
        case .listing(let query):
            let listing = factory.makeListingScreen()
            listing.query = query
            listing.products = .loading
            display(listing)
        case .product(let handle):
            let product = factory.makeProductScreen()
            product.handle = handle
            product.product = .loading
            display(product)
        case .cart, .profile, .signIn, .register, .orders, .order:
            try await super.go(to: page)
        }
    }
}

extension CatalogCoordinator: CatalogMessages {
    public func catalogNarrow(to query: ProductQuery) async throws {
        let catalog = try needed(\.catalog)
        guard let listing = lastScreen((any ListingScreen).self) else { return }
        listing.query = query
        await load(listing, from: catalog)
    }

    public func catalogShowMore() async throws {
        let catalog = try needed(\.catalog)
        guard let listing = lastScreen((any ListingScreen).self), let shown = listing.products.value,
            let cursor = shown.nextCursor
        else { return }
        var query = listing.query
        query.cursor = cursor
        let page: ProductPage
        do throws(DataError) {
            page = try await catalog.products(query)
        } catch  where error.reason == .listChanged {
            return await load(listing, from: catalog)
        } catch {
            return try await attempt { () throws(DataError) in throw error }
        }
        // Asked twice, or narrowed meanwhile.
        guard listing.products.value?.nextCursor == cursor else { return }
        listing.products.finish(
            ProductPage(items: shown.items + page.items, nextCursor: page.nextCursor, facets: shown.facets))
    }
}

extension Season {
    fileprivate func isOn(at now: Date) -> Bool {
        (startsAt ?? .distantPast) <= now && now < (endsAt ?? .distantFuture)
    }
}
