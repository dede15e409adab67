import PouchApp
import PouchClient
import PouchCoordination

/// Counts the points of a customer.
actor LoyaltyManager {
    private(set) var points = 0

    func add(_ count: Int) { points += count }
}

extension AppDependency {
    var loyalty: LoyaltyManager? {
        get { self[LoyaltyManager.self] }
        set { self[LoyaltyManager.self] = newValue }
    }
}

protocol LoyaltyScreen: ShopScreen {
    var points: LoadState<Int> { get set }
}

@MainActor
protocol LoyaltyScreenFactory: ScreenFactory {
    func makeLoyaltyScreen() -> any LoyaltyScreen
}

/// Goes to the points of the customer, from any screen.
struct ShowLoyalty: Message {}

extension ShopPage {
    static let loyalty = ShopPage.app(["loyalty"])
}

final class LoyaltyCoordinator: ShopCoordinator {
    override func didStart() {
        guard let screen = (factory as? any LoyaltyScreenFactory)?.makeLoyaltyScreen() else { return }
        screen.points = .loading
        display(screen)
    }

    override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        guard let screen = screen as? any LoyaltyScreen else { return try await super.load(screen) }
        let loyalty = try needed(\.loyalty)
        screen.points = LoadState(await loyalty.points)
    }

    override func page(of screen: any ShopScreen) -> ShopPage? {
        screen is any LoyaltyScreen ? .loyalty : super.page(of: screen)
    }
}

final class LoyalShopCoordinator: AppCoordinator {
    override func registerHandlers() {
        super.registerHandlers()
        handle(ShowLoyalty.self) { app, _ in app.showLoyalty() }
    }

    private func showLoyalty() {
        start(LoyaltyCoordinator(on: stack.present(), screens: factory))
    }

    override func show(_ page: ShopPage) async throws -> Bool {
        guard page == .loyalty else { return try await super.show(page) }
        showLoyalty()
        return true
    }

    /// Each unit that is added to the cart is a point.
    override func editCart(_ message: EditCart) async throws -> CartBadge {
        let loyalty = try needed(\.loyalty)
        let badge = try await super.editCart(message)
        if case .add(_, let quantity) = message { await loyalty.add(quantity) }
        return badge
    }
}

@MainActor
func openLoyalShop(
    on surface: any NavigationSurface, screens: any LoyaltyScreenFactory, with pouch: Pouch
) -> LoyalShopCoordinator {
    let app = LoyalShopCoordinator(on: surface, screens: screens)
    app.start()
    var dependency = AppDependency(pouch)
    dependency.loyalty = LoyaltyManager()
    app.dependency = dependency
    return app
}
