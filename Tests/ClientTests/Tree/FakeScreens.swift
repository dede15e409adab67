import PouchApp
import PouchClient

/// A screen that draws nothing.
@MainActor
class FakeScreen: ShopScreen {
    weak var coordinatingResponder: (any Responder)?
    let watch: Changes
    var status = ShopStatus() { didSet { watch.note() } }
    /// All notices; none is dismissed.
    var notices: [Notice] = [] { didSet { watch.note() } }
    var notice: Notice? { notices.last }

    init(_ watch: Changes) {
        self.watch = watch
        watch.noteMade(self)
    }

    func show(_ page: ShopPage) async throws {
        try await send(to: (any NavigationMessages).self) { try await $0.show(page) }
    }

    func refresh() async throws {
        try await send(to: (any RefreshMessages).self) { try await $0.refresh() }
    }
}

final class FakeHome: FakeScreen, HomeScreen {
    var season: Season?
    var promotions = LoadState<[Promotion]>() { didSet { watch.note() } }
    var categories = LoadState<[Category]>() { didSet { watch.note() } }
}

final class FakeListing: FakeScreen, ListingScreen {
    var query = ProductQuery()
    var products = LoadState<ProductPage>() { didSet { watch.note() } }
    var categories: [Category] = [] { didSet { watch.note() } }
    var seasons: [Season] = [] { didSet { watch.note() } }
    var themes: [Theme] = [] { didSet { watch.note() } }
}

final class FakeProduct: FakeScreen, ProductScreen {
    var handle = ""
    var product = LoadState<Product>() { didSet { watch.note() } }
    var availability: [Availability] = [] { didSet { watch.note() } }
}

final class FakeCart: FakeScreen, CartScreen {
    var cart = LoadState<Cart>() { didSet { watch.note() } }
    var changes: [CartChange] = [] { didSet { watch.note() } }
}

final class FakeShipping: FakeScreen, ShippingScreen {
    var address: Address?
    var savedAddresses: [Address] = []
    var methods = LoadState<[ShippingMethod]>() { didSet { watch.note() } }
    var places = LoadState<[NamedLocation]>() { didSet { watch.note() } }
    var methodId: String?
}

final class FakePayment: FakeScreen, PaymentScreen {
    var purchase = LoadState<Purchase>() { didSet { watch.note() } }
    var needsEmail = false { didSet { watch.note() } }
}

final class FakeConfirmation: FakeScreen, ConfirmationScreen {
    var order = LoadState<Order>() { didSet { watch.note() } }
}

final class FakeStatus: FakeScreen, StatusScreen {
    var order = LoadState<Order>() { didSet { watch.note() } }
}

final class FakeSignIn: FakeScreen, SignInScreen {
    var email: String?
}

final class FakeRegister: FakeScreen, RegisterScreen {}

final class FakeProfile: FakeScreen, ProfileScreen {
    var profile = LoadState<Profile>() { didSet { watch.note() } }
}

final class FakeOrders: FakeScreen, OrdersScreen {
    var orders = LoadState<Page<Order>>() { didSet { watch.note() } }
}

final class FakeOrder: FakeScreen, OrderScreen {
    var orderId = ""
    var order = LoadState<Order>() { didSet { watch.note() } }
    var ride: Ride? { didSet { watch.note() } }
}

struct FakeScreens: ScreenFactory {
    let watch: Changes

    func makeHomeScreen() -> any HomeScreen { FakeHome(watch) }
    func makeListingScreen() -> any ListingScreen { FakeListing(watch) }
    func makeProductScreen() -> any ProductScreen { FakeProduct(watch) }
    func makeCartScreen() -> any CartScreen { FakeCart(watch) }
    func makeShippingScreen() -> any ShippingScreen { FakeShipping(watch) }
    func makePaymentScreen() -> any PaymentScreen { FakePayment(watch) }
    func makeConfirmationScreen() -> any ConfirmationScreen { FakeConfirmation(watch) }
    func makeStatusScreen() -> any StatusScreen { FakeStatus(watch) }
    func makeSignInScreen() -> any SignInScreen { FakeSignIn(watch) }
    func makeRegisterScreen() -> any RegisterScreen { FakeRegister(watch) }
    func makeProfileScreen() -> any ProfileScreen { FakeProfile(watch) }
    func makeOrdersScreen() -> any OrdersScreen { FakeOrders(watch) }
    func makeOrderScreen() -> any OrderScreen { FakeOrder(watch) }
}
