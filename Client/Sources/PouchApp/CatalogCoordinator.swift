import Foundation
import PouchClient
import PouchCoordination
import PouchScreens

/// The catalogue: home, listings, products.
///
/// In a split view, products have a column of their own:
///
///     let columns = NavigationGroup(on: splitView)
///     sections.catalog = {
///         CatalogCoordinator(on: $0, screens: $1, details: ShopCoordinator(on: columns.stacks[1], screens: $1))
///     }
///     let app = AppCoordinator(on: columns.stacks[0], screens: screens, sections: sections)
open class CatalogCoordinator: ShopCoordinator {
    private enum CategoryScope: Equatable {
        case season(id: String)
        /// No season is on.
        case all

        init(_ season: Season?) {
            self = if let season { .season(id: season.id) } else { .all }
        }

        var seasonId: String? { if case .season(let id) = self { id } else { nil } }
    }

    /// The categories that are followed; nil until the seasons are known.
    private var followedScope: CategoryScope?
    private let details: ShopCoordinator?
    /// Whether the page that was shown last is a product on the stack for details.
    private var isInDetails = false

    /// - Parameters:
    ///   - stack: may be shared with other coordinators.
    ///   - factory: creates the screens.
    ///   - details: shows the products on its stack, one at a time, as a child of this coordinator. Without it,
    ///     products are shown over the listings.
    public init(on stack: ScreenStack, screens factory: any ScreenFactory, details: ShopCoordinator? = nil) {
        self.details = details
        super.init(on: stack, screens: factory)
    }

    open override func didStart() {
        guard let home = try? factory.makeHomeScreen() else { return }
        home.promotions = .loading
        home.categories = .loading
        display(home)
    }

    open override func didActivate() {
        super.didActivate()
        guard let catalog = dependency?.catalog else { return }
        followedScope = nil
        follow(catalog.promotionStates()) { [weak self] in self?.show($0, as: \.promotions) }
        follow(catalog.seasonStates()) { [weak self] in self?.seasonsDidChange($0, from: catalog) }
        whileActive { [weak self] in
            for await state in await catalog.categoryStates() {
                guard let categories = state.value else { continue }
                self?.lastScreen((any ListingScreen).self)?.categories = categories
            }
        }
    }

    open override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        let catalog = try needed(\.catalog)
        switch screen {
        case let home as any HomeScreen: await load(home, from: catalog)
        case let listing as any ListingScreen: await load(listing, from: catalog)
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
        if let scope = followedScope {
            _ = try? await catalog.categories(season: scope.seasonId)
            if let state = await current(catalog.categoryStates(season: scope.seasonId)) {
                show(state, as: \.categories)
            }
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
        let scope = CategoryScope(home.season)
        guard followedScope != scope else { return }
        followedScope = scope
        whileActive { [weak self] in
            for await state in await catalog.categoryStates(season: scope.seasonId) {
                guard let self, followedScope == scope else { return }
                show(state, as: \.categories)
            }
        }
    }

    /// Shows a part of home. One whose value is unknown continues to load.
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

    // MARK: Details

    open override func reveal() {
        if let details, isInDetails { details.reveal() } else { super.reveal() }
    }

    /// Replaces the product on screen, and ends the flows that it started.
    private func show(_ product: any ProductScreen, in details: ShopCoordinator) {
        start(details)
        details.stack.update {
            details.popToOwn()
            details.display(product)
            details.showOnly(product)
        }
    }

    /// Makes the page visible if the details are on another stack, which may hide this one or be hidden by it.
    private func revealPage(inDetails: Bool) {
        guard details != nil else { return }
        isInDetails = inDetails
        reveal()
    }

    // MARK: Messages

    open override func registerHandlers() {
        super.registerHandlers()
        handle(NarrowList.self) { try await $0.narrowList($1) }
        handle(ShowMoreProducts.self) { try await $0.showMoreProducts($1) }
    }

    open override func show(_ page: ShopPage) async throws -> Bool {
        switch page {
        case .home:
            guard let home = lastScreen((any HomeScreen).self) else { throw ScreenFailure.notOffered }
            pop(to: home)
            revealPage(inDetails: false)
        case .listing(let query):
            let listing = try factory.makeListingScreen()
            listing.query = query
            listing.products = .loading
            display(listing)
            revealPage(inDetails: false)
        case .product(let handle):
            let product = try factory.makeProductScreen()
            product.handle = handle
            product.product = .loading
            if let details { show(product, in: details) } else { display(product) }
            revealPage(inDetails: true)
        case .cart, .profile, .signIn, .register, .orders, .order, .app:
            return false
        }
        return true
    }

    open func narrowList(_ message: NarrowList) async throws {
        let catalog = try needed(\.catalog)
        guard let listing = lastScreen((any ListingScreen).self) else { return }
        listing.query = message.query
        await load(listing, from: catalog)
    }

    open func showMoreProducts(_ message: ShowMoreProducts) async throws {
        let catalog = try needed(\.catalog)
        guard let listing = lastScreen((any ListingScreen).self), let cursor = listing.products.value?.nextCursor
        else { return }
        var query = listing.query
        query.cursor = cursor
        let page = try await nextPage { () throws(DataError) in
            try await catalog.products(query)
        } orReload: {
            await load(listing, from: catalog)
        }
        guard let page else { return }
        // The message was sent twice, or the list has been filtered since.
        let shown = listing.products
        guard let first = shown.value, first.nextCursor == cursor else { return }
        let all = ProductPage(items: first.items + page.items, nextCursor: page.nextCursor, facets: first.facets)
        // A current page does not make the earlier ones current.
        listing.products =
            shown.isOutdated
            ? LoadState(all, failure: shown.failure, asOf: shown.asOf)
            : LoadState(Dated(all, asOf: page.asOf, failure: page.failure))
        mark(listing, isOutdated: listing.products.isOutdated)
    }
}
