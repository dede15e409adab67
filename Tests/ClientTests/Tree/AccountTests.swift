import ClientTesting
import PouchApp
import PouchClient
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AccountTests {
    private let test: ShopUnderTest

    init() throws { test = try ShopUnderTest(.ada) }

    @Test func `opening the orders without a session signs in first`() async throws {
        let test = try ShopUnderTest()
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let home = try await test.top(RecordingHomeScreen.self)
        try await home.send(ShopPage.orders)
        try await test.signIn()
        let orders = try await test.top(RecordingOrdersScreen.self) { $0.orders.value != nil }
        #expect(orders.orders.value?.items.map(\.id) == ["ord_1"])
        #expect(test.surface.presented?.screens.count == 1)
        let order = try await test.open(.order(id: "ord_1"), RecordingOrderScreen.self) { $0.order.value != nil }
        try await order.send(CancelOrder())
        #expect(order.order.value?.status == .cancelled)
        test.surface.presented?.goBack(2)
        #expect(try await test.top(RecordingHomeScreen.self) === home)
    }

    @Test func `a session from an earlier run shows its profile at once`() async throws {
        let profile = try await test.open(.profile, RecordingProfileScreen.self) { !$0.profile.isLoading }
        #expect(profile.profile.value?.name == "Ada")
        #expect(test.shop.requests(to: Contract.startGuestSession).count == 0)
    }

    @Test func `a cancelled order is updated in the list`() async throws {
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(), Fixture.order(id: "ord_2")] }
        let orders = try await test.open(.orders, RecordingOrdersScreen.self) { $0.orders.value != nil }
        let order = try await test.open(.order(id: "ord_1"), RecordingOrderScreen.self) { $0.order.value != nil }
        try await order.send(CancelOrder())
        test.surface.presented?.goBack()
        #expect(try await test.top(RecordingOrdersScreen.self) === orders)
        #expect(orders.orders.value?.items.map(\.status) == [.cancelled, .paid])
    }

    @Test func `an opened page is read once`() async throws {
        let home = try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        // The notification coordinator reads the orders once too.
        try await eventually { test.shop.requests(to: Contract.orders).count == 1 }
        try await test.open(.orders, RecordingOrdersScreen.self) { $0.orders.value != nil }
        try await test.open(.profile, RecordingProfileScreen.self) { !$0.profile.isLoading }
        #expect(test.shop.requests(to: Contract.orders).count == 2)
        #expect(test.shop.requests(to: Contract.profile).count == 1)
        try await test.open(.home, RecordingHomeScreen.self)
        try await home.buyNow(TestShop.rosa)
        try await test.top(RecordingShippingScreen.self) { $0.methods.value != nil }
        #expect(test.shop.requests(to: Contract.shippingMethods).count == 1)
    }

    @Test func `signing in updates the cart badge`() async throws {
        let test = try ShopUnderTest()
        test.shop.change { $0.carts[Shopper.ada.owner] = [.init(sku: "rosa-1", quantity: 2)] }
        try await test.open(.signIn, RecordingSignInScreen.self)
        try await test.signIn()
        try await test.top(RecordingHomeScreen.self) { $0.status.cart.unitCount == 2 }
    }

    @Test func `a sign-in that needs the code of a second factor names its field, and succeeds with it`() async throws {
        let shop = TestShop.sample()
        shop.change { $0.secondFactors["ada@example.org"] = "287082" }
        let test = try ShopUnderTest(shop: shop)
        let screen = try await test.open(.profile, RecordingSignInScreen.self)
        let failure = await #expect(throws: ScreenFailure.self) { try await test.signIn() }
        #expect(failure?.remedy == .correct && failure?.fields.map(\.name) == ["code"])
        try await screen.send(SignIn(email: "ada@example.org", password: "12345678", code: "287082"))
        try await test.top(RecordingProfileScreen.self) { $0.profile.value != nil }
    }

    @Test func `a wrong password is shown on the sign-in screen`() async throws {
        let test = try ShopUnderTest()
        test.shop.answer(Contract.signIn) { _ in .problem(.invalidCredentials) }
        try await test.open(.signIn, RecordingSignInScreen.self)
        #expect(await thrownFailure { try await test.signIn() }?.remedy == .correct)
        try await test.top(RecordingSignInScreen.self)
    }

    @Test func `registering leads to the goal as signing in does`() async throws {
        let test = try ShopUnderTest()
        try await test.open(.profile, RecordingSignInScreen.self)
        let register = try await test.open(.register, RecordingRegisterScreen.self)
        try await register.send(Register(name: "Ada", email: "ada@example.org", password: "12345678"))
        try await test.top(RecordingProfileScreen.self) { $0.profile.value?.name == "Ada" }
        #expect(test.surface.presented?.screens.count == 1)
    }

    @Test func `signing out leads back to the shop, without a notice of a lost session`() async throws {
        let home = try await test.top(RecordingHomeScreen.self)
        let profile = try await test.open(.profile, RecordingProfileScreen.self)
        try await profile.send(SignOut())
        try await test.top(RecordingHomeScreen.self) { $0.status.visitor == .signedOut }
        #expect(home.notices.isEmpty && profile.notices.isEmpty)
        #expect(test.app.child(AccountCoordinator.self) == nil)
    }

    @Test func `deleting the account leads back to the shop, without a notice of a lost session`() async throws {
        let home = try await test.top(RecordingHomeScreen.self)
        let profile = try await test.open(.profile, RecordingProfileScreen.self)
        try await profile.send(ChangePassword(from: "12345678", to: "87654321"))
        #expect(test.shop.requests(to: Contract.changePassword).count == 1)
        test.shop.failNext(Contract.deleteAccount, with: .problem(.invalidCredentials))
        let deletion = DeleteAccount(password: "87654321")
        await #expect(throws: ScreenFailure.self) { try await profile.send(deletion) }
        #expect(test.client.account.session != nil)
        try await profile.send(deletion)
        try await test.top(RecordingHomeScreen.self) { $0.status.visitor == .signedOut }
        #expect(home.notices.isEmpty && profile.notices.isEmpty)
    }

    @Test func `the data of an ended session leaves the screen, and the next session sees its own`() async throws {
        let test = try ShopUnderTest(.bea)
        test.shop.change {
            $0.orders[Shopper.bea.owner] = [Fixture.order()]
            $0.orders[Shopper.ada.owner] = [Fixture.order(id: "ord_2")]
        }
        let orders: RecordingOrdersScreen = try await test.open(.orders) { $0.orders.value?.items.first?.id == "ord_1" }
        let profile = try await test.open(.profile, RecordingProfileScreen.self) { !$0.profile.isLoading }
        let gate = test.shop.hold(Contract.orders)
        let late = try await test.open(.orders, RecordingOrdersScreen.self)
        await gate.held(1)
        test.shop.answerItself(Contract.orders)
        try await test.client.account.signOut()
        try await test.top(RecordingOrdersScreen.self) { $0.orders.failure?.remedy == .signIn && $0 === late }
        for screen in [orders, late] { #expect(screen.orders == LoadState(failure: late.orders.failure)) }
        #expect(profile.profile.value == nil)
        gate.open()
        try await test.client.account.signIn(email: "ada@example.org", password: "12345678")
        try await test.top(RecordingOrdersScreen.self) { $0.orders.value?.items.map(\.id) == ["ord_2"] }
        try await test.record.until { orders.orders.value?.items.map(\.id) == ["ord_2"] }
        try await test.record.until { profile.profile.value?.name == "Ada" }
    }

    @Test func `signing out of an unreachable shop shows a notice on the next screen`() async throws {
        let home = try await test.top(RecordingHomeScreen.self)
        let profile = try await test.open(.profile, RecordingProfileScreen.self) { !$0.profile.isLoading }
        test.shop.connection = .down
        try await profile.send(SignOut())
        try await test.top(RecordingHomeScreen.self) { $0.notice != nil && $0.status.visitor == .signedOut }
        #expect(home.notices.count == 1)
    }

    @Test func `a session that ended elsewhere shows one notice, on the cart, which starts empty`() async throws {
        test.shop.change { $0.carts[Shopper.ada.owner] = [.init(sku: "rosa-1", quantity: 2)] }
        let home = try await test.top(RecordingHomeScreen.self)
        try await home.send(ShopPage.cart)
        let cart = try await test.top(RecordingCartScreen.self) { $0.cart.value?.unitCount == 2 && !$0.cart.isLoading }
        test.shop.answer(Contract.cart) { _ in .problem(.tokenExpired) }
        test.shop.answer(Contract.refreshSession) { _ in .problem(.tokenExpired) }
        try await cart.send(Refresh())
        #expect(cart.cart.failure?.remedy == .signIn)
        try await test.top(RecordingCartScreen.self) { $0.notice != nil }
        test.shop.answerItself(Contract.cart)
        test.shop.answerItself(Contract.refreshSession)
        try await cart.send(Refresh())
        try await test.top(RecordingCartScreen.self) { $0.cart.value?.lines.isEmpty == true && $0.cart.failure == nil }
        #expect(cart.notices.count == 1)
        #expect(
            cart.notice?.text
                == "You were signed out: the session was ended elsewhere, or has expired. Sign in to continue.")
        #expect(home.notices.isEmpty)
    }
}
