/// The bounds that the rules of the shop keep, and that a client can check before it sends.
public enum ModelLimits {
    /// Units in one line of a cart or an order.
    public static let quantity = 1...999
    /// Lines of a cart or an order.
    public static let lines = 500
    /// Minor units; so that a cart of the most lines with the most units each still fits into 64 bits.
    public static let price = 0...Int64(1_000_000_000_000)
    /// Units on hand of one SKU, and in one change of them.
    public static let stock = 0...1_000_000_000
    /// Hundredths of a percent that a discount takes off.
    public static let discountBasisPoints = 1...10_000
    /// Characters of a discount code, out of `A-Z`, `0-9`, `-`, `_` and `.`.
    public static let discountCodeLength = 3...40
    /// Handles or categories that one discount names.
    public static let discountScope = 200
    /// How often a discount may be used at most, where that is limited.
    public static let discountUses = 1...1_000_000_000
    /// Characters of a password.
    public static let passwordLength = 8...128
    /// Characters of a name, a city, a line of an address, and other short texts.
    public static let textLength = 1...200
    /// Characters of an e-mail address (RFC 5321 §4.5.3.1).
    public static let emailLength = 3...254
    /// Addresses in one account's book.
    public static let addresses = 50
}
