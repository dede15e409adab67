import ClientTesting
import PouchApp
import PouchClient
import PouchCoordination
import PouchTesting
import Testing

/// The whole tree over a small shop, on screens that draw nothing. The test acts as the user.
@MainActor
struct ShopUnderTest {
    let shop: TestShop
    let record: ScreenRecord
    let surface: RecordingSurface
    let app: AppCoordinator
    let client: Pouch

    /// - Parameters:
    ///   - shopper: the session of an earlier run on this device.
    ///   - isReady: whether the managers exist at the start.
    ///   - shop: the shop of an earlier run.
    ///   - clock: the clock of the tree.
    ///   - store: the local store of an earlier run.
    init(
        _ shopper: Shopper? = nil, isReady: Bool = true, shop: TestShop = TestShop.sample(sellsAnySKU: true),
        store: (any LocalStore)? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        self.shop = shop
        record = ScreenRecord()
        surface = RecordingSurface(record)
        client = Pouch(testing: shop, signedInAs: shopper?.session, store: store)
        app = AppCoordinator(on: surface, screens: RecordingScreens(record))
        if isReady {
            var dependency = AppDependency(client)
            dependency.clock = clock
            app.dependency = dependency
        }
        app.start()
    }

    /// Starts another app over the shop, on a surface of its own.
    ///
    /// - Parameter screens: nil for all screens.
    func startApp(
        screens: (any ScreenFactory)? = nil, sections: ShopSections = ShopSections()
    ) -> (app: AppCoordinator, surface: RecordingSurface) {
        let surface = RecordingSurface(record)
        let app = AppCoordinator(on: surface, screens: screens ?? RecordingScreens(record), sections: sections)
        app.dependency = AppDependency(client)
        app.start()
        return (app, surface)
    }

    /// Waits until a screen of that kind is on top and meets the condition.
    @discardableResult
    func top<Top>(
        _ kind: Top.Type = Top.self, on other: RecordingSurface? = nil,
        where isMet: @escaping (Top) -> Bool = { _ in true }
    ) async throws -> Top {
        try await (other ?? surface).top(Top.self, where: isMet)
    }

    /// The kinds of the screens on the lowest surface, from the lowest to the highest, such as `Home`.
    var kinds: [String] {
        surface.screens.map { "\(type(of: $0))".replacing("Recording", with: "").replacing("Screen", with: "") }
    }

    /// The coordinators below the app that have screens.
    var sections: [Coordinator<AppDependency>] { app.children.filter { !($0 is NotificationCoordinator) } }

    /// Whether a surface has the screen, on top or not.
    func shows(_ screen: any Screen) -> Bool {
        sequence(first: surface) { $0.presented }.contains { $0.screens.contains { $0 === screen } }
    }

    // MARK: User actions

    /// Opens a page from the screen that is on top, and waits for the page's screen.
    @discardableResult
    func open<Top>(
        _ page: ShopPage, _ kind: Top.Type = Top.self, on other: RecordingSurface? = nil,
        where isMet: @escaping (Top) -> Bool = { _ in true }
    ) async throws -> Top {
        try await top(RecordingScreen.self, on: other).send(page)
        return try await top(on: other, where: isMet)
    }

    func openProduct(_ handle: String) async throws -> RecordingProductScreen {
        try await top(RecordingHomeScreen.self) { $0.promotions.value != nil }.send(ShopPage.product(handle: handle))
        return try await top { $0.product.value?.handle == handle }
    }

    func fillCart(to count: Int = 2) async throws -> RecordingCartScreen {
        let product = try await openProduct("rosa")
        try await product.send(EditCart.add(sku: "rosa-1", quantity: 2))
        try await product.send(ShopPage.cart)
        return try await top { $0.cart.value?.unitCount == count && !$0.cart.isLoading }
    }

    func deliver(
        _ screen: RecordingShippingScreen, to address: Address = Address.sample(), on surface: RecordingSurface? = nil
    ) async throws -> RecordingPaymentScreen {
        try await screen.send(ChooseDelivery(methodId: "standard", to: address))
        return try await top(on: surface) { $0.purchase.value != nil && !$0.purchase.isLoading }
    }

    func goToPayment(to address: Address = Address.sample()) async throws -> RecordingPaymentScreen {
        try await fillCart().send(BeginCheckout())
        return try await deliver(try await top { $0.methods.value != nil }, to: address)
    }

    /// Pays, and waits for the confirmation.
    @discardableResult
    func buy(
        _ payment: RecordingPaymentScreen, email: String? = "guest@example.org"
    ) async throws -> RecordingConfirmationScreen {
        try await payment.pay(email: email)
        return try await top()
    }

    func signIn() async throws {
        try await top(RecordingSignInScreen.self).send(SignIn(email: "ada@example.org", password: "12345678"))
    }
}

/// The failure that a message throws; nil if it succeeds.
@MainActor
func thrownFailure(_ message: @MainActor () async throws -> some Sendable) async -> ScreenFailure? {
    do {
        _ = try await message()
        return nil
    } catch {
        return error as? ScreenFailure
    }
}

extension AppCoordinator {
    /// Starts a flow of an app's own with one screen; nil for the stack presents it.
    func startFlow(on other: ScreenStack? = nil) -> (flow: NavigationCoordinator<AppDependency>, screen: PlainScreen) {
        let (flow, screen) = (NavigationCoordinator<AppDependency>(on: other ?? stack.present()), PlainScreen())
        start(flow)
        flow.show(screen)
        return (flow, screen)
    }
}

extension RecordingScreen {
    func pay(email: String? = "guest@example.org") async throws {
        try await send(Pay(cardToken: "tok_ok", email: email))
    }
}
