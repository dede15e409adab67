/// Changes of the cart, from any screen.
@MainActor
public protocol CartMessages {
    /// - Parameter quantity: how many more.
    /// - Returns: what the cart holds then.
    @discardableResult
    func cartAdd(sku: String, quantity: Int) async throws -> CartBadge
    /// - Parameter quantity: how many in all; 0 removes the line.
    func cartSet(sku: String, quantity: Int) async throws
    func cartRemove(sku: String) async throws
    func cartClear() async throws
    func cartApplyDiscount(code: String) async throws
    func cartRemoveDiscount() async throws
}
