import Foundation

/// The criteria of an order search or export; by default all orders. An order must meet all criteria that are set.
///
///     let search = OrderSearch(isUnsent: true, sku: "71101-69-m")
public struct OrderSearch: Sendable, Hashable {
    public var status: OrderStatus?
    /// Whether to find only orders that still have to be sent: paid or partly refunded, never sent, and with units that
    /// were not refunded.
    public var isUnsent: Bool
    /// An order number, with or without its `P-`, the buyer's whole e-mail address, or whole words of the recipient's
    /// name, ignoring case and accents. At most 254 characters.
    public var text: String?
    /// A SKU that the order must contain.
    public var sku: String?
    /// The earliest time of the purchase.
    public var from: Date?
    /// The time before which the order was placed.
    public var until: Date?

    public init(
        status: OrderStatus? = nil, isUnsent: Bool = false, text: String? = nil, sku: String? = nil,
        from: Date? = nil, until: Date? = nil
    ) {
        self.status = status
        self.isUnsent = isUnsent
        self.text = text
        self.sku = sku
        self.from = from
        self.until = until
    }
}
