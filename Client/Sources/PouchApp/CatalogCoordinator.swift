import Foundation
import PouchClient
import PouchCoordination
import PouchScreens

/// The catalogue: home, listings, products.
public final class CatalogCoordinator: ShopCoordinator {
    /// The season whose categories are followed; the inner nil stands for all seasons.
    private var followedSeason: String??

    public override func didStart() {
        let home = factory.makeHomeScreen()
        home.promotions = .loading
        home.categories = .loading
        display(home)
    }

    public override func didActivate() {
        super.didActivate()
        guard let catalog = dependency?.catalog else { return }
        followedSeason = nil
        follow(catalog.promotionStates()) { [weak self] in self?.show($0, as: \.promotions) }
        follow(catalog.seasonStates()) { [weak self] in self?.seasonsDidChange($0, from: catalog) }
        whileActive { [weak self] in
            for await state in await catalog.categoryStates() {
                guard let categories = state.value else { continue }
                self?.lastScreen((any ListingScreen).self)?.categories = categories
            }
        }
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
        home.promotions.startLoading()
        home.categories.startLoading()
        await catalog.retry()
        async let promotions: Void = loadPromotions(from: catalog)
        _ = try? await catalog.seasons()
        if let seasons = await current(catalog.seasonStates()) { seasonsDidChange(seasons, from: catalog) }
        if let id = followedSeason {
            _ = try? await catalog.categories(season: id)
            if let state = await current(catalog.categoryStates(season: id)) { show(state, as: \.categories) }
        }
        await promotions
    }

    private func loadPromotions(from catalog: CatalogManager) async {
        _ = try? await catalog.promotions()
        if let state = await current(catalog.promotionStates()) { show(state, as: \.promotions) }
    }

    private func seasonsDidChange(_ seasons: Dated<[Season]?>, from catalog: CatalogManager) {
        guard let home = screens.first as? any HomeScreen else { return }
        guard let known = seasons.value else {
            // Without seasons, the categories to show are unknown too.
            return show(Dated<[PouchEntities.Category]?>(nil, failure: seasons.failure), as: \.categories)
        }
        let now = dependency?.now() ?? .now
        home.season = known.first { $0.isOn(at: now) }
        let id = home.season?.id
        guard followedSeason != .some(id) else { return }
        followedSeason = .some(id)
        whileActive { [weak self] in
            for await state in await catalog.categoryStates(season: id) {
                guard let self, followedSeason == .some(id) else { return }
                show(state, as: \.categories)
            }
        }
    }

    /// Shows a part of home. An unknown one continues to load.
    private func show<Value>(
        _ state: Dated<Value?>, as part: ReferenceWritableKeyPath<any HomeScreen, LoadState<Value>>
    ) {
        guard let home = screens.first as? any HomeScreen, state.value != nil || state.failure != nil else { return }
        home[keyPath: part] = LoadState(state)
        mark(home, isOutdated: home.promotions.isOutdated || home.categories.isOutdated)
    }

    private func current<Value: Sendable>(_ states: AsyncStream<Value>) async -> Value? {
        for await state in states { return state }
        return nil
    }

    private func load(_ listing: any ListingScreen, from catalog: CatalogManager) async {
        var query = listing.query
        query.cursor = nil
        query.facets = true
        async let names: Void = loadNames(of: listing, from: catalog)
        await fillDated(\(any ListingScreen).products, of: listing) { () throws(DataError) in
            try await catalog.products(query)
        }
        await names
    }

    /// Loads the names for the ids in the facets.
    private func loadNames(of listing: any ListingScreen, from catalog: CatalogManager) async {
        async let categories = catalog.categories()
        async let seasons = catalog.seasons()
        async let themes = catalog.themes()
        if let categories = try? await categories { listing.categories = categories }
        if let seasons = try? await seasons { listing.seasons = seasons }
        if let themes = try? await themes { listing.themes = themes }
    }

    private func load(_ screen: any ProductScreen, from catalog: CatalogManager) async {
        await fillDated(\(any ProductScreen).product, of: screen) { () throws(DataError) in
            try await catalog.product(handle: screen.handle)
        }
        let skus = (screen.product.value?.variants ?? []).prefix(100).map(\.sku)
        // A failure leaves the product's own figures, which are a little older.
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
        let page: Dated<ProductPage>
        do throws(DataError) {
            page = try await catalog.products(query)
        } catch  where error.reason == .listChanged {
            return await load(listing, from: catalog)
        } catch {
            return try await attempt { throw error }
        }
        // The message was sent twice, or the list narrowed since.
        guard listing.products.value?.nextCursor == cursor else { return }
        let all = ProductPage(items: shown.items + page.items, nextCursor: page.nextCursor, facets: shown.facets)
        listing.products = LoadState(Dated(all, asOf: page.asOf, failure: page.failure))
        mark(listing, isOutdated: listing.products.isOutdated)
    }
}

extension Season {
    fileprivate func isOn(at now: Date) -> Bool {
        (startsAt ?? .distantPast) <= now && now < (endsAt ?? .distantFuture)
    }
}
