import PouchApp
import PouchClient
import PouchCoordination
import PouchScreens
import Testing

/// A branch that has ended leaves nothing alive: no coordinator, no stack, no screen, wherever it was and however it
/// ended.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TreeDeallocationTests {
    enum Ending: CaseIterable {
        case bought, goneBack, leftForHome, stopped, dropped
    }

    private final class Weak {
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    /// The coordinators of a branch, with their stacks, in which nothing is held.
    private func branch(_ top: Coordinator<AppDependency>) -> [Weak] {
        [Weak(top)] + ((top as? ShopCoordinator).map { [Weak($0.stack)] } ?? []) + top.children.flatMap(branch)
    }

    @Test(arguments: Nesting.allCases, Ending.allCases)
    func `a payment below any coordinator, with what leads there`(_ nesting: Nesting, _ ending: Ending) async throws {
        var test: ShopUnderTest? = try ShopUnderTest()
        let shop = try #require(test)
        let watch = shop.watch
        var gone: [Weak] = []
        do {
            let (place, first) = try await nesting.open(in: shop)
            try await first.buyNow(StubShop.rosa)
            let payment = try await shop.deliver(try await shop.top { $0.methods.value != nil })
            switch ending {
            case .bought:
                gone = branch(try #require(place.child(PaymentCoordinator.self))).filter { $0.object !== place.stack }
                try await payment.pay()
                try await shop.top(FakeConfirmation.self)
            case .goneBack:
                gone = shop.sections.dropFirst().flatMap(branch) + branches(below: CatalogCoordinator.self, shop)
                shop.surface.presented?.goBack(10)
                if nesting != .account { shop.surface.goBack(shop.surface.screens.count - 1) }
            case .leftForHome:
                gone = shop.sections.dropFirst().flatMap(branch) + branches(below: CatalogCoordinator.self, shop)
                try await payment.show(.home)
            case .stopped:
                gone = shop.app.children.flatMap(branch)
                shop.app.stop()
            case .dropped:
                gone = branch(shop.app)
            }
            // The lowest stack goes with the app alone.
            if ending != .dropped { gone.removeAll { $0.object === shop.app.stack } }
            #expect(!gone.isEmpty)
        }
        _ = consume shop
        if ending == .dropped { test = nil }
        // What was under way lets go when it has ended.
        try await eventually {
            gone.allSatisfy { $0.object == nil } && watch.living.allSatisfy { test?.shows($0) == true }
        }
    }

    private func branches(below kind: CatalogCoordinator.Type, _ shop: ShopUnderTest) -> [Weak] {
        shop.app.child(kind)?.children.flatMap(branch) ?? []
    }

    @Test func `every section with every screen of it`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(id: "ord_0")] }
        var gone: [Weak] = []
        do {
            try await test.goToPayment().pay(email: nil)
            try await test.top(FakeConfirmation.self).send(to: (any PurchaseMessages).self) {
                try await $0.purchaseShowStatus()
            }
            try await test.top(FakeStatus.self).show(.listing(ProductQuery()))
            try await test.top(FakeListing.self) { $0.products.value != nil }.show(.profile)
            try await test.top(FakeProfile.self).show(.orders)
            try await test.top(FakeOrders.self) { $0.orders.value != nil }.show(.order(id: "ord_0"))
            try await test.top(FakeOrder.self) { $0.order.value != nil }.show(.signIn)
            try await test.top(FakeSignIn.self).show(.register)
            let register = try await test.top(FakeRegister.self)
            let kinds = Set(test.watch.living.map { ObjectIdentifier(type(of: $0)) })
            #expect(kinds.count == 10)
            gone = test.sections.dropFirst().flatMap(branch).filter { $0.object !== test.app.stack }
            #expect(gone.count == 3)
            try await register.show(.home)
        }
        try await eventually { gone.allSatisfy { $0.object == nil } && test.watch.living.count == 1 }
    }

    @Test func `a tree that was dropped or stopped leaves nothing alive, with streams followed and messages waiting`()
        async throws
    {
        weak var app: AppCoordinator?
        weak var home: FakeHome?
        weak var stopped: CatalogCoordinator?
        do {
            let test = try ShopUnderTest(isReady: false)
            (app, home) = (test.app, try await test.top(FakeHome.self))
            let screen = try await test.top(FakeHome.self)
            _ = Task { try await screen.refresh() }
            await Task.yield()
            let other = try ShopUnderTest()
            _ = try await other.goToPayment()
            stopped = other.app.child(CatalogCoordinator.self)
            other.app.stop()
        }
        #expect(app == nil)
        #expect(stopped == nil)
        // The message that waited ends a little later, and lets go of its screen.
        try await eventually { home == nil }
    }
}
