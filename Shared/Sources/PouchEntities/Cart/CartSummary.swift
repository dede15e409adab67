/// What a cart write answers to `Prefer: return=minimal`.
public struct CartSummary: Codable, Sendable, Hashable {
    public let id: String
    public let version: Int
    /// The line that the write was about; nil when it is gone.
    public let line: CartLine?
    public let totals: Totals

    public init(id: String, version: Int, line: CartLine?, totals: Totals) {
        self.id = id
        self.version = version
        self.line = line
        self.totals = totals
    }
}
