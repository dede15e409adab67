import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchScreens
import PouchService
import Testing

/// The whole tree on screens without a look, over a small shop; the test sits in front of it.
@MainActor
struct ShopUnderTest {
    let shop: StubShop
    let rides: StubRides
    let surface = RecordingSurface()
    let app: AppCoordinator
    let client: Pouch
    let watch = Changes()

    /// - Parameters:
    ///   - shopper: who is signed in on this device from an earlier run.
    ///   - isReady: whether the managers exist from the start.
    ///   - shop: that of an earlier run.
    ///   - rides: the rides of an earlier run.
    ///   - clock: by which is waited.
    ///   - store: what was kept on this device.
    init(
        _ shopper: Shopper? = nil, isReady: Bool = true, shop: StubShop = StubShop(),
        rides: StubRides = StubRides(), store: (any LocalStore)? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        guard let server = URL(string: "http://127.0.0.1") else { throw CocoaError(.fileNoSuchFile) }
        self.shop = shop
        self.rides = rides
        client = Pouch(
            server: server, transport: StubTown(shop: shop, rides: rides),
            sessionStore: MemorySessionStore(shopper.map { Fixture.data($0.session) }), store: store)
        app = AppCoordinator(on: surface, screens: FakeScreens(watch: watch))
        surface.onShow = { [watch] in watch.note() }
        if isReady {
            var dependency = AppDependency(client)
            dependency.clock = clock
            app.dependency = dependency
        }
        app.start()
    }

    /// Waits until a screen of that kind is on top of all, and what is expected of it is so.
    @discardableResult
    func top<Top>(
        _ kind: Top.Type = Top.self, where isMet: @escaping (Top) -> Bool = { _ in true }
    ) async throws -> Top {
        var found: Top?
        try await watch.until { [surface] in
            found = (surface.top.screens.last as? Top).flatMap { isMet($0) ? $0 : nil }
            return found != nil
        }
        return try #require(found)
    }

    /// The kinds of the screens on the lowest surface, from the lowest to the highest.
    var kinds: [String] { surface.screens.map { "\(type(of: $0))" } }

    /// What runs below the app beside what only tells.
    var sections: [Coordinator<AppDependency>] { app.children.filter { !($0 is NotificationCoordinator) } }

    /// Whether the screen is on a surface, on top or not.
    func shows(_ screen: FakeScreen) -> Bool {
        sequence(first: surface) { $0.presented }.contains { $0.screens.contains { $0 === screen } }
    }

    // MARK: What one does

    func openProduct(_ handle: String) async throws -> FakeProduct {
        let home = try await top(FakeHome.self) { $0.promotions.value != nil }
        try await home.show(.product(handle: handle))
        return try await top { $0.product.value?.handle == handle }
    }

    func fillCart(to count: Int = 2) async throws -> FakeCart {
        let product = try await openProduct("rosa")
        try await product.send(to: (any CartMessages).self) { try await $0.cartAdd(sku: "rosa-1", quantity: 2) }
        try await product.show(.cart)
        return try await top { $0.cart.value?.unitCount == count && !$0.cart.isLoading }
    }

    func deliver(_ screen: FakeShipping, to address: Address = StubShop.home) async throws -> FakePayment {
        try await screen.send(to: (any CheckoutMessages).self) {
            try await $0.checkoutDeliver(methodId: "standard", to: address)
        }
        return try await top { $0.purchase.value != nil && !$0.purchase.isLoading }
    }

    func goToPayment(to address: Address = StubShop.home) async throws -> FakePayment {
        let cart = try await fillCart()
        try await cart.send(to: (any CheckoutMessages).self) { try await $0.checkoutBegin() }
        return try await deliver(try await top { $0.methods.value != nil }, to: address)
    }

    func signIn() async throws {
        let screen = try await top(FakeSignIn.self)
        try await screen.send(to: (any AccountMessages).self) {
            try await $0.accountSignIn(email: "ada@example.org", password: "12345678")
        }
    }
}

extension FakeScreen {
    func pay(email: String? = "guest@example.org") async throws {
        try await send(to: (any PaymentMessages).self) { try await $0.paymentPay(cardToken: "tok_ok", email: email) }
    }

    func buyNow(_ product: Product) async throws {
        try await send(to: (any PurchaseMessages).self) { try await $0.purchaseNow(product) }
    }
}
