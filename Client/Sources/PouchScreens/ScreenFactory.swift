/// Makes the screens of a shop for one user interface. Each comes without data, and is given them before it is shown.
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
