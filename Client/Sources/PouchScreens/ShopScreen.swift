import PouchCoordination
import PouchEntities

/// A screen of a shop. It sends the user's requests up the chain, shows progress while it waits for the answer, and
/// shows errors as a `ScreenFailure`.
public protocol ShopScreen: Screen {
    var status: ShopStatus { get set }
    /// Notices to show one after the other. The screen removes the first when the user has dismissed it.
    var notices: [Notice] { get set }
}

/// Creates the screens of a shop for one user interface. The coordinators set their data before they show them.
///
/// An app implements the methods for the screens that it offers. A message that leads to another screen fails with
/// `ScreenFailure.notOffered`.
@MainActor
public protocol ScreenFactory {
    func makeHomeScreen() throws(ScreenFailure) -> any HomeScreen
    func makeListingScreen() throws(ScreenFailure) -> any ListingScreen
    func makeProductScreen() throws(ScreenFailure) -> any ProductScreen
    func makeCartScreen() throws(ScreenFailure) -> any CartScreen
    func makeShippingScreen() throws(ScreenFailure) -> any ShippingScreen
    func makePaymentScreen() throws(ScreenFailure) -> any PaymentScreen
    func makeConfirmationScreen() throws(ScreenFailure) -> any ConfirmationScreen
    func makeStatusScreen() throws(ScreenFailure) -> any StatusScreen
    func makeSignInScreen() throws(ScreenFailure) -> any SignInScreen
    func makeRegisterScreen() throws(ScreenFailure) -> any RegisterScreen
    func makeProfileScreen() throws(ScreenFailure) -> any ProfileScreen
    func makeOrdersScreen() throws(ScreenFailure) -> any OrdersScreen
    func makeOrderScreen() throws(ScreenFailure) -> any OrderScreen
}

extension ScreenFactory {
    public func makeHomeScreen() throws(ScreenFailure) -> any HomeScreen { throw .notOffered }
    public func makeListingScreen() throws(ScreenFailure) -> any ListingScreen { throw .notOffered }
    public func makeProductScreen() throws(ScreenFailure) -> any ProductScreen { throw .notOffered }
    public func makeCartScreen() throws(ScreenFailure) -> any CartScreen { throw .notOffered }
    public func makeShippingScreen() throws(ScreenFailure) -> any ShippingScreen { throw .notOffered }
    public func makePaymentScreen() throws(ScreenFailure) -> any PaymentScreen { throw .notOffered }
    public func makeConfirmationScreen() throws(ScreenFailure) -> any ConfirmationScreen { throw .notOffered }
    public func makeStatusScreen() throws(ScreenFailure) -> any StatusScreen { throw .notOffered }
    public func makeSignInScreen() throws(ScreenFailure) -> any SignInScreen { throw .notOffered }
    public func makeRegisterScreen() throws(ScreenFailure) -> any RegisterScreen { throw .notOffered }
    public func makeProfileScreen() throws(ScreenFailure) -> any ProfileScreen { throw .notOffered }
    public func makeOrdersScreen() throws(ScreenFailure) -> any OrdersScreen { throw .notOffered }
    public func makeOrderScreen() throws(ScreenFailure) -> any OrderScreen { throw .notOffered }
}

extension ScreenFailure {
    /// The failure of a page for which the app has no screen.
    public static let notOffered = ScreenFailure("This page is not available here.")
}

// MARK: - Messages of every screen

/// A page of the shop that can be reached from anywhere. Sent as a message, it opens the page: it goes back to home or
/// to the cart if they are on the stack, and otherwise shows a new screen.
///
///     try await send(ShopPage.order(id: order.id))
public enum ShopPage: Message, Hashable {
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
    /// One of the app's own pages, named by its path, such as `["loyalty"]`.
    case app([String])
}

/// Reads the data of the screen again, for example after a failure. The answer arrives when this has succeeded or
/// failed; the screen's `LoadState` shows which.
public struct Refresh: Message, Hashable {
    public init() {}
}

// MARK: - Status

/// The status that every screen of a shop shows.
public struct ShopStatus: Sendable, Hashable {
    public var visitor: Visitor
    public var cart: CartBadge
    public var connectivity: Connectivity

    public init(visitor: Visitor = .signedOut, cart: CartBadge = CartBadge(), connectivity: Connectivity = .unknown) {
        self.visitor = visitor
        self.cart = cart
        self.connectivity = connectivity
    }
}

/// The user of the app.
public enum Visitor: Sendable, Hashable {
    /// There is no session: the user has not signed in, and has done nothing that starts a guest session.
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
    /// The page of the notice. A screen may offer to go there, with `send(page)`.
    public var page: ShopPage?

    public init(_ text: String, page: ShopPage? = nil) {
        self.text = text
        self.page = page
    }
}
