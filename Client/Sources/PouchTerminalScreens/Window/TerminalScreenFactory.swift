import PouchScreens

/// Makes the screens that a window shows.
public struct TerminalScreenFactory: ScreenFactory {
    private let environment: ScreenEnvironment

    public init(_ window: ShopWindow) {
        environment = window.environment
    }

    public func makeHomeScreen() -> any HomeScreen { TerminalHomeScreen(environment) }
    public func makeListingScreen() -> any ListingScreen { TerminalListingScreen(environment) }
    public func makeProductScreen() -> any ProductScreen { TerminalProductScreen(environment) }
    public func makeCartScreen() -> any CartScreen { TerminalCartScreen(environment) }
    public func makeShippingScreen() -> any ShippingScreen { TerminalShippingScreen(environment) }
    public func makePaymentScreen() -> any PaymentScreen { TerminalPaymentScreen(environment) }
    public func makeConfirmationScreen() -> any ConfirmationScreen { TerminalConfirmationScreen(environment) }
    public func makeStatusScreen() -> any StatusScreen { TerminalStatusScreen(environment) }
    public func makeSignInScreen() -> any SignInScreen { TerminalSignInScreen(environment) }
    public func makeRegisterScreen() -> any RegisterScreen { TerminalRegisterScreen(environment) }
    public func makeProfileScreen() -> any ProfileScreen { TerminalProfileScreen(environment) }
    public func makeOrdersScreen() -> any OrdersScreen { TerminalOrdersScreen(environment) }
    public func makeOrderScreen() -> any OrderScreen { TerminalOrderScreen(environment) }
}
