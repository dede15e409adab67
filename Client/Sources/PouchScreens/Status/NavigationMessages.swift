/// Ways through the shop.
@MainActor
public protocol NavigationMessages {
    /// Goes to the page: to home and to the cart back where they lie below, to others anew.
    func show(_ page: ShopPage) async throws
}
