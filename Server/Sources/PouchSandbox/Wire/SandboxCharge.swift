import Foundation
import PouchEntities

/// A charge as the service tells it. Amounts are minor units of the currency.
public struct SandboxCharge: Codable, Sendable, Equatable {
    public enum Status: String, Codable, Sendable {
        /// Set aside on the card, to be captured or voided.
        case authorized
        case captured
        case declined
        /// Nothing was captured under the key, and nothing ever will be.
        case voided
    }

    public let key: String
    public let status: Status
    /// Why the card was declined, as in `insufficient_funds`.
    public let declineCode: String?
    /// 0 where the key was voided before anything was asked for.
    public let amount: Int64
    /// nil where the key was voided before anything was asked for.
    public let currency: Currency?
    public let captured: Int64
    /// Of all refunds; at most what was captured.
    public let refunded: Int64
    /// nil for what was booked before times were kept.
    public let createdAt: Date?
}
