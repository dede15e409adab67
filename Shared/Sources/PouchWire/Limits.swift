/// The bounds that the server keeps, and that a client can check before it sends.
public enum Limits {
    /// Bytes of a request body.
    public static let bodyBytes = 1 << 20
    /// Bytes of all header fields, names and values.
    public static let headerBytes = 16 << 10
    /// Levels of nested objects and arrays in a request body.
    public static let jsonDepth = 32
    /// Units in one line of a cart.
    public static let quantity = 1...999
    public static let cartLines = 500
    /// Items in one page of a list, and the number without `limit`.
    public static let pageSize = 1...200
    public static let defaultPageSize = 50
    /// SKUs in one question for availability.
    public static let availabilitySKUs = 1...100
    /// Visible ASCII characters of an idempotency key.
    public static let idempotencyKeyLength = 1...255
    /// Characters of a password.
    public static let passwordLength = 8...128
    /// Characters of a name, a city, a line of an address, and other short texts.
    public static let textLength = 1...200
    /// Characters of an e-mail address (RFC 5321 §4.5.3.1).
    public static let emailLength = 3...254
    public static let addresses = 50
}
