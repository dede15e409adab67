/// Where an order stands.
public enum OrderStatus: String, OpenEnum {
    /// Its stock is held and its payment is not settled yet.
    case pending
    case paid
    case fulfilled
    case delivered
    /// Ended before fulfilment; what was charged is refunded, the stock is put back.
    case cancelled
    case refunded
    case partiallyRefunded
    case unrecognised
}
