/// Sends `AccountMessages` to sign in, `NavigationMessages` with `.register` from those who have no account.
@MainActor
public protocol SignInScreen: ShopScreen {
    /// What to begin with, as the address of whoever was signed in before.
    var email: String? { get set }
}
