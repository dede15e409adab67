import Foundation

/// Money of a charge that was given back.
public struct Refund: Codable, Sendable, Hashable, Identifiable {
    public enum Status: String, OpenEnum, CaseIterable {
        /// The payment provider has not confirmed it yet.
        case pending
        case succeeded
        case failed
        case unrecognised
    }

    /// Units that it gives the price back for.
    public struct Line: Codable, Sendable, Hashable {
        public let sku: String
        public let quantity: Int

        public init(sku: String, quantity: Int) {
            self.sku = sku
            self.quantity = quantity
        }
    }

    public let id: String
    public let amount: Money
    public let createdAt: Date
    public let status: Status
    /// nil when it was for an amount.
    public let lines: [Line]?
    public let reason: String?

    public init(
        id: String, amount: Money, createdAt: Date, status: Status = .succeeded, lines: [Line]? = nil,
        reason: String? = nil
    ) {
        self.id = id
        self.amount = amount
        self.createdAt = createdAt
        self.status = status
        self.lines = lines
        self.reason = reason
    }
}
