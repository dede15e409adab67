/// The bounds that the rules of the shop keep, and that a client can check before it sends.
public enum ModelLimits {
    /// Units in one line of a cart or an order.
    public static let quantity = 1...999
    /// Lines of a cart or an order.
    public static let lines = 500
    /// Minor units; so that a cart of the most lines with the most units each still fits into 64 bits.
    public static let price = 0...Int64(1_000_000_000_000)
    /// Characters of a password.
    public static let passwordLength = 8...128
    /// Characters of a name, a city, a line of an address, and other short texts.
    public static let textLength = 1...200
    /// Characters of an e-mail address (RFC 5321 §4.5.3.1).
    public static let emailLength = 3...254
    /// Addresses in one account's book.
    public static let addresses = 50
}
