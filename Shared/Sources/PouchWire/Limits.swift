/// The bounds of requests; those of the model are in `ModelLimits`.
public enum Limits {
    /// Bytes of a request body.
    public static let bodyBytes = 1 << 20
    /// Bytes of a feed that is imported.
    public static let importBytes = 256 << 20
    /// Bytes of all header fields, names and values.
    public static let headerBytes = 16 << 10
    /// Levels of nested objects and arrays in a request body.
    public static let jsonDepth = 32
    /// Items in one page of a list, and the number without `limit`.
    public static let pageSize = 1...200
    public static let defaultPageSize = 50
    /// SKUs in one question for availability.
    public static let availabilitySKUs = 1...100
    /// Visible ASCII characters of an idempotency key.
    public static let idempotencyKeyLength = 1...255
}
