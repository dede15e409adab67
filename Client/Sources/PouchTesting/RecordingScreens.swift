import PouchCoordination
import PouchEntities
import PouchScreens

/// A screen of the shop that draws nothing. The tests of an app's own sections subclass it.
///
/// Each property that a coordinator sets must report its changes. Otherwise a test that waits for it is not woken:
///
///     final class RecordingLoyaltyScreen: RecordingScreen, LoyaltyScreen {
///         var points = LoadState<Int>() { didSet { record.noteChange() } }
///     }
@MainActor
open class RecordingScreen: ShopScreen {
    public weak var coordinatingResponder: (any Responder)?
    public let record: ScreenRecord
    public var status = ShopStatus() { didSet { record.noteChange() } }
    /// All notices so far, because none is dismissed.
    public var notices: [Notice] = [] { didSet { record.noteChange() } }
    public var notice: Notice? { notices.last }

    public init(_ record: ScreenRecord) {
        self.record = record
        record.noteMade(self)
    }
}

public final class RecordingHomeScreen: RecordingScreen, HomeScreen {
    public var season: Season? { didSet { record.noteChange() } }
    public var promotions = LoadState<[Promotion]>() { didSet { record.noteChange() } }
    public var categories = LoadState<[Category]>() { didSet { record.noteChange() } }
}

public final class RecordingListingScreen: RecordingScreen, ListingScreen {
    public var query = ProductQuery() { didSet { record.noteChange() } }
    public var products = LoadState<ProductPage>() { didSet { record.noteChange() } }
    public var categories: [Category] = [] { didSet { record.noteChange() } }
    public var seasons: [Season] = [] { didSet { record.noteChange() } }
    public var themes: [Theme] = [] { didSet { record.noteChange() } }
}

public final class RecordingProductScreen: RecordingScreen, ProductScreen {
    public var handle = "" { didSet { record.noteChange() } }
    public var product = LoadState<Product>() { didSet { record.noteChange() } }
}

public final class RecordingCartScreen: RecordingScreen, CartScreen {
    public var cart = LoadState<Cart>() { didSet { record.noteChange() } }
    public var changes: [CartChange] = [] { didSet { record.noteChange() } }
}

public final class RecordingShippingScreen: RecordingScreen, ShippingScreen {
    public var address: Address? { didSet { record.noteChange() } }
    public var savedAddresses: [Address] = [] { didSet { record.noteChange() } }
    public var methods = LoadState<[ShippingMethod]>() { didSet { record.noteChange() } }
    public var places = LoadState<[NamedLocation]>() { didSet { record.noteChange() } }
    public var methodId: String? { didSet { record.noteChange() } }
}

public final class RecordingPaymentScreen: RecordingScreen, PaymentScreen {
    public var purchase = LoadState<Purchase>() { didSet { record.noteChange() } }
    public var needsEmail = false { didSet { record.noteChange() } }
}

public final class RecordingConfirmationScreen: RecordingScreen, ConfirmationScreen {
    public var order = LoadState<Order>() { didSet { record.noteChange() } }
}

public final class RecordingStatusScreen: RecordingScreen, StatusScreen {
    public var order = LoadState<Order>() { didSet { record.noteChange() } }
}

public final class RecordingSignInScreen: RecordingScreen, SignInScreen {
    public var email: String? { didSet { record.noteChange() } }
}

public final class RecordingRegisterScreen: RecordingScreen, RegisterScreen {}

public final class RecordingProfileScreen: RecordingScreen, ProfileScreen {
    public var profile = LoadState<Profile>() { didSet { record.noteChange() } }
}

public final class RecordingOrdersScreen: RecordingScreen, OrdersScreen {
    public var orders = LoadState<Page<Order>>() { didSet { record.noteChange() } }
}

public final class RecordingOrderScreen: RecordingScreen, OrderScreen {
    public var orderId = "" { didSet { record.noteChange() } }
    public var order = LoadState<Order>() { didSet { record.noteChange() } }
    public var ride: Ride? { didSet { record.noteChange() } }
}

/// Creates screens that draw nothing, for a tree under test.
public struct RecordingScreens: ScreenFactory {
    let record: ScreenRecord

    public init(_ record: ScreenRecord) {
        self.record = record
    }

    public func makeHomeScreen() -> any HomeScreen { RecordingHomeScreen(record) }
    public func makeListingScreen() -> any ListingScreen { RecordingListingScreen(record) }
    public func makeProductScreen() -> any ProductScreen { RecordingProductScreen(record) }
    public func makeCartScreen() -> any CartScreen { RecordingCartScreen(record) }
    public func makeShippingScreen() -> any ShippingScreen { RecordingShippingScreen(record) }
    public func makePaymentScreen() -> any PaymentScreen { RecordingPaymentScreen(record) }
    public func makeConfirmationScreen() -> any ConfirmationScreen { RecordingConfirmationScreen(record) }
    public func makeStatusScreen() -> any StatusScreen { RecordingStatusScreen(record) }
    public func makeSignInScreen() -> any SignInScreen { RecordingSignInScreen(record) }
    public func makeRegisterScreen() -> any RegisterScreen { RecordingRegisterScreen(record) }
    public func makeProfileScreen() -> any ProfileScreen { RecordingProfileScreen(record) }
    public func makeOrdersScreen() -> any OrdersScreen { RecordingOrdersScreen(record) }
    public func makeOrderScreen() -> any OrderScreen { RecordingOrderScreen(record) }
}
