import PouchCoordination
import PouchEntities

/// A screen of a shop. It sends the user's wishes up the chain, shows progress while it waits for the answer, and shows
/// errors as a `ScreenFailure`.
public protocol ShopScreen: Screen {
    var status: ShopStatus { get set }
    /// Notices to show one after the other. The screen removes the first when the user has dismissed it.
    var notices: [Notice] { get set }
}

/// Creates the screens of a shop for one user interface. The coordinators set their data before they show them.
@MainActor
public protocol ScreenFactory {
    func makeHomeScreen() -> any HomeScreen
    func makeListingScreen() -> any ListingScreen
    func makeProductScreen() -> any ProductScreen
    func makeCartScreen() -> any CartScreen
    func makeShippingScreen() -> any ShippingScreen
    func makePaymentScreen() -> any PaymentScreen
    func makeConfirmationScreen() -> any ConfirmationScreen
    func makeStatusScreen() -> any StatusScreen
    func makeSignInScreen() -> any SignInScreen
    func makeRegisterScreen() -> any RegisterScreen
    func makeProfileScreen() -> any ProfileScreen
    func makeOrdersScreen() -> any OrdersScreen
    func makeOrderScreen() -> any OrderScreen
}

// MARK: - Messages of every screen

@MainActor
public protocol NavigationMessages {
    /// Goes to a page: back to home or the cart where they are on the stack, otherwise to a new screen.
    func show(_ page: ShopPage) async throws
}

/// A page of the shop that can be reached from anywhere.
public enum ShopPage: Sendable, Hashable {
    case home
    /// The products of a query: a category, a season, a search.
    case listing(ProductQuery)
    case product(handle: String)
    case cart
    case profile
    case signIn
    case register
    case orders
    case order(id: String)
}

@MainActor
public protocol RefreshMessages {
    /// Reads the data of the screen again, as after a failure. Returns when that has ended; the outcome is in the data.
    func refresh() async throws
}

// MARK: - Status

/// The status that every screen of a shop shows.
public struct ShopStatus: Sendable, Hashable {
    public var visitor: Visitor
    public var cart: CartBadge
    public var connectivity: Connectivity

    public init(
        visitor: Visitor = .signedOut, cart: CartBadge = CartBadge(), connectivity: Connectivity = .unknown
    ) {
        self.visitor = visitor
        self.cart = cart
        self.connectivity = connectivity
    }
}

/// The user of the app.
public enum Visitor: Sendable, Hashable {
    /// There is no session yet: no sign-in, and nothing that needs a guest session.
    case signedOut
    case guest
    case customer(Profile)
}

/// Whether the shop can be reached.
public enum Connectivity: Sendable, Hashable {
    /// The managers do not exist yet.
    case unknown
    case online
    case offline
}

/// A message that is shown to the user once.
public struct Notice: Sendable, Hashable {
    /// One or two sentences.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}
