import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchScreens
import PouchService
import Testing

/// The whole tree over a small shop, on screens that draw nothing. The test acts as the user.
@MainActor
struct ShopUnderTest {
    let shop: StubShop
    let rides: StubRides
    let surface = RecordingSurface()
    let app: AppCoordinator
    let client: Pouch
    let watch = Changes()

    /// - Parameters:
    ///   - shopper: the session of an earlier run on this device.
    ///   - isReady: whether the managers exist at the start.
    ///   - shop: the shop of an earlier run.
    ///   - rides: the rides of an earlier run.
    ///   - clock: the clock of the tree.
    ///   - store: the local store of an earlier run.
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

    /// Waits until a screen of that kind is on top and meets the condition.
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

    /// The types of the screens on the lowest surface, from the lowest to the highest.
    var kinds: [String] { surface.screens.map { "\(type(of: $0))" } }

    /// The coordinators below the app that have screens.
    var sections: [Coordinator<AppDependency>] { app.children.filter { !($0 is NotificationCoordinator) } }

    /// Whether a surface has the screen, on top or not.
    func shows(_ screen: FakeScreen) -> Bool {
        sequence(first: surface) { $0.presented }.contains { $0.screens.contains { $0 === screen } }
    }

    // MARK: User actions

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

/// Notifies a test of changes on the screens, and knows the screens that were created.
@MainActor
final class Changes {
    private struct Wait {
        let isMet: () -> Bool
        let turn: CheckedContinuation<Void, any Error>
    }

    private struct Made {
        weak var screen: FakeScreen?
    }

    private var waits: [Int: Wait] = [:]
    private var lastId = 0
    private var made: [Made] = []

    func note() {
        for (id, wait) in waits where wait.isMet() {
            waits[id] = nil
            wait.turn.resume()
        }
    }

    /// - Throws: `CancellationError` when the test's time limit is reached.
    func until(_ isMet: @escaping () -> Bool) async throws {
        guard !isMet() else { return }
        lastId += 1
        let id = lastId
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return turn.resume(throwing: CancellationError()) }
                waits[id] = Wait(isMet: isMet, turn: turn)
            }
        } onCancel: {
            Task { @MainActor in waits.removeValue(forKey: id)?.turn.resume(throwing: CancellationError()) }
        }
    }

    func noteMade(_ screen: FakeScreen) { made.append(Made(screen: screen)) }

    /// The screens that were created and still exist.
    var living: [FakeScreen] { made.compactMap(\.screen) }
}

/// A shop and the rides of its town at one address.
struct StubTown: Transport {
    let shop: StubShop
    let rides: StubRides

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        request.url.path().hasPrefix("/v1/ride")
            ? try await rides.send(request) : try await shop.send(request)
    }
}
