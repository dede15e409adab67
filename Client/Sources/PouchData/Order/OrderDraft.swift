import PouchEntities

/// What is to be ordered without a cart.
public struct OrderDraft: Sendable, Hashable {
    public struct Line: Sendable, Hashable {
        public let sku: String
        /// 1...999
        public let quantity: Int

        public init(sku: String, quantity: Int) {
            self.sku = sku
            self.quantity = quantity
        }
    }

    public var lines: [Line]
    public var address: Address?
    /// The id of a shipping method.
    public var methodId: String?
    /// A discount code.
    public var discount: String?

    public init(lines: [Line], address: Address? = nil, methodId: String? = nil, discount: String? = nil) {
        self.lines = lines
        self.address = address
        self.methodId = methodId
        self.discount = discount
    }
}
