/// Something about a line that changed without its owner's doing.
public struct CartChange: Codable, Sendable, Hashable {
    public enum Reason: String, OpenEnum {
        case priceChanged
        case quantityReduced
        case removed
        /// The line was joined with that of the guest's cart.
        case merged
        case unrecognised
    }

    public let sku: String
    public let reason: Reason
    public let fromPrice: Money?
    public let toPrice: Money?
    public let fromQuantity: Int?
    public let toQuantity: Int?

    public static func priceChanged(sku: String, from: Money, to: Money) -> CartChange {
        CartChange(
            sku: sku, reason: .priceChanged, fromPrice: from, toPrice: to, fromQuantity: nil, toQuantity: nil)
    }

    public static func quantity(sku: String, _ reason: Reason, from: Int, to: Int) -> CartChange {
        CartChange(sku: sku, reason: reason, fromPrice: nil, toPrice: nil, fromQuantity: from, toQuantity: to)
    }
}
