/// Changes of the cart, from any screen.
@MainActor
public protocol CartMessages {
    /// Adds that many more.
    ///
    /// - Returns: what the cart holds then.
    @discardableResult
    func cartAdd(sku: String, quantity: Int) async throws -> CartBadge
    /// The quantity is that of the whole line; 0 removes it.
    func cartSet(sku: String, quantity: Int) async throws
    func cartRemove(sku: String) async throws
    func cartClear() async throws
    func cartApplyDiscount(code: String) async throws
    func cartRemoveDiscount() async throws
}
