/// What an administrator does to the stock of a SKU.
public enum StockChange: Sendable, Hashable {
    /// So many units can be bought, beside those that orders hold.
    case set(Int)
    /// So many units more on hand, or fewer.
    case adjust(Int)
}
