import Foundation
import PouchEntities

/// A refund as the service tells it.
public struct SandboxRefund: Codable, Sendable, Equatable {
    public let key: String
    /// The key of the charge.
    public let charge: String
    /// Minor units of the currency.
    public let amount: Int64
    public let currency: Currency
    /// nil for what was booked before times were kept.
    public let createdAt: Date?
}
