import PouchEntities

/// What is bought without a cart.
public struct DirectPurchase: Sendable {
    public let lines: [(sku: String, quantity: Int)]
    public let methodId: String?
    public let address: Address?
    public let discount: String?

    public init(lines: [(sku: String, quantity: Int)], methodId: String?, address: Address?, discount: String?) {
        self.lines = lines
        self.methodId = methodId
        self.address = address
        self.discount = discount
    }
}
