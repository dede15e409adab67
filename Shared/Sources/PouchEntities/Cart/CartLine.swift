/// Some units of one SKU in a cart, with price and stock as they are now.
public struct CartLine: Codable, Sendable, Hashable {
    public let sku: String
    public let productHandle: String
    public let name: String
    public let image: ProductImage?
    public let options: [String: String]
    public let quantity: Int
    public let unitPrice: Money
    /// Before any discount.
    public let lineTotal: Money
    /// This line's share of the cart's discount.
    public let discount: Money
    /// Units that can be bought now, in all.
    public let available: Int

    public init(
        sku: String,
        productHandle: String,
        name: String,
        image: ProductImage?,
        options: [String: String],
        quantity: Int,
        unitPrice: Money,
        lineTotal: Money,
        discount: Money,
        available: Int
    ) {
        self.sku = sku
        self.productHandle = productHandle
        self.name = name
        self.image = image
        self.options = options
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.lineTotal = lineTotal
        self.discount = discount
        self.available = available
    }
}
