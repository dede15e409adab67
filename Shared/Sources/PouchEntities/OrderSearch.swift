import Foundation

/// The orders that a list or an export is to have; by default all. An order has to match all that is set.
///
///     let search = OrderSearch(isUnsent: true, sku: "71101-69-m")
public struct OrderSearch: Sendable, Hashable {
    public var status: OrderStatus?
    /// Only orders that still have to be sent: paid or partly refunded, never sent, and with units that were not
    /// refunded.
    public var isUnsent: Bool
    /// An order's number, with or without its `P-`, the whole e-mail address of the buyer, or whole words of the name
    /// that the order is sent to; upper and lower case are equal, and accents do not count. At most 254 characters.
    public var text: String?
    /// The order has a line with this SKU.
    public var sku: String?
    /// Placed at this time or later.
    public var from: Date?
    /// Placed before this time.
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
