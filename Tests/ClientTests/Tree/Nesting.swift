import PouchApp
import PouchClient
import PouchCoordination
import Testing

/// Places of the tree from which a payment may begin.
enum Nesting: String, CaseIterable {
    case app, catalog, cart, account, cartInCatalog

    /// Opens the place.
    ///
    /// - Returns: its coordinator, with a screen of its own on top.
    @MainActor
    func open(in test: ShopUnderTest) async throws -> (ShopCoordinator, FakeScreen) {
        let home = try await test.top(FakeHome.self) { $0.promotions.value != nil }
        switch self {
        case .app:
            let screen = FakeHome(test.watch)
            test.app.show(screen)
            return (test.app, screen)
        case .catalog:
            return (try #require(test.app.child(CatalogCoordinator.self)), home)
        case .cart:
            try await home.show(.cart)
            return (try #require(test.app.child(CartCoordinator.self)), try await test.top(FakeCart.self))
        case .account:
            try await home.show(.signIn)
            return (try #require(test.app.child(AccountCoordinator.self)), try await test.top(FakeSignIn.self))
        case .cartInCatalog:
            let catalog = try #require(test.app.child(CatalogCoordinator.self))
            let cart = CartCoordinator(on: catalog.stack, screens: FakeScreens(watch: test.watch))
            catalog.start(cart)
            return (cart, try await test.top(FakeCart.self))
        }
    }
}
