import PouchClient
import PouchCoordination
import PouchScreens

/// Creates the coordinators of a shop's sections. An app replaces the ones that it implements itself:
///
///     var sections = ShopSections()
///     sections.cart = { KioskCartCoordinator(on: $0, screens: $1) }
///     let app = AppCoordinator(on: surface, screens: screens, sections: sections)
///
/// A section may use a stack other than the one that it receives. With tabs, each section has its own:
/// `sections.cart = { CartCoordinator(on: tabs.stacks[1], screens: $1) }`.
@MainActor
public struct ShopSections {
    /// A section of the shop. Its `show` shows the pages of the section and returns false for all others. The root then
    /// shows the pages of other sections, and throws `ScreenFailure.notOffered` for pages that the section itself
    /// should have.
    ///
    /// The section shows its first screen within `didStart`: that of the cart, or of the page with which the account
    /// starts. A cart, account or payment without a screen by then is stopped, and its page fails with `.notOffered`,
    /// so show a loading screen if the data are missing. The catalogue may start without a screen, if the app has no
    /// home. While the section runs, it receives its pages through `show`.
    ///
    /// A section with a tab or column of its own starts when the user first sees its stack, and again after its last
    /// screen has been removed. The closure is also called to find the stack, so it must only create the coordinator.
    public typealias Section = ShopCoordinator

    /// Home, listings and products.
    public var catalog: (ScreenStack, any ScreenFactory) -> Section = {
        CatalogCoordinator(on: $0, screens: $1)
    }
    /// The cart, and its checkout up to the payment.
    public var cart: (ScreenStack, any ScreenFactory) -> Section = { CartCoordinator(on: $0, screens: $1) }
    /// Profile, orders, signing in and up, on a stack over the others. The section starts with the page.
    public var account: (ShopPage, ScreenStack, any ScreenFactory) -> Section = {
        AccountCoordinator(showing: $0, on: $1, screens: $2)
    }
    /// The payment, below the coordinator that starts it. It reports the order with `OrderPlaced`.
    public var payment:
        (PaymentCoordinator.Subject, ScreenStack, any ScreenFactory) -> NavigationCoordinator<AppDependency> = {
            PaymentCoordinator(of: $0, on: $1, screens: $2)
        }
    /// The notices of deliveries to a session. The section starts and stops with the session, and shows no screen. Push
    /// notifications that arrive while the app is open reach it first, if it handles `PushMessage`.
    public var notifications: (Session, ScreenStack, any ScreenFactory) -> Coordinator<AppDependency> = {
        NotificationCoordinator(for: $0.kind, isNew: $0.isNew, on: $1, screens: $2)
    }

    /// The session whose deliveries are shown.
    public struct Session: Sendable {
        public let kind: SessionKind
        /// Whether it has just started, and so has no earlier orders.
        public let isNew: Bool
    }

    public init() {}
}
