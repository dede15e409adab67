/// Which ledger the service books in.
public struct LedgerHead: Codable, Sendable, Equatable {
    public let id: String

    /// On any request: the ledger that the caller means. Another one is refused and books nothing.
    public static let headerName = "Ledger-Id"
}
