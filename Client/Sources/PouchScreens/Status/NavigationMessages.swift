/// Ways through the shop.
@MainActor
public protocol NavigationMessages {
    /// Goes to the page, back to it where it lies below.
    func show(_ page: ShopPage) async throws
}
