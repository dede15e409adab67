/// Sends `AccountMessages` to register.
@MainActor
public protocol RegisterScreen: ShopScreen {}
