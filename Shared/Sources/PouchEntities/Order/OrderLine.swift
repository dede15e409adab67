/// Some units of one SKU as they were bought; later changes of the catalogue do not touch it.
public struct OrderLine: Codable, Sendable, Hashable {
    public let sku: String
    public let name: String
    public let options: [String: String]
    public let quantity: Int
    public let unitPrice: Money
    public let lineTotal: Money
    public let discount: Money
    public let tax: Money
    public let refundedQuantity: Int

    public init(
        sku: String,
        name: String,
        options: [String: String],
        quantity: Int,
        unitPrice: Money,
        lineTotal: Money,
        discount: Money,
        tax: Money,
        refundedQuantity: Int
    ) {
        self.sku = sku
        self.name = name
        self.options = options
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.lineTotal = lineTotal
        self.discount = discount
        self.tax = tax
        self.refundedQuantity = refundedQuantity
    }
}
