import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

// The JSON of the service. Amounts are in minor units of their currency.

/// The body of `POST /v1/charges`.
public struct ChargeRequestBody: Sendable, Equatable {
    /// Above 0.
    public let amount: Int64
    public let currency: Currency
    /// The token of the card.
    public let token: String
    /// Whether the amount is captured at once; nil means yes.
    public let capture: Bool?

    var isCaptured: Bool { capture ?? true }

    /// A text that is equal exactly for equal requests.
    var fingerprint: String { "\(amount) \(currency.code) \(isCaptured ? "captured" : "authorized") \(token)" }
}

extension ChargeRequestBody: JSONModel {
    public static let json = JSONObject(
        ChargeRequestBody.init(amount:currency:token:capture:), .field("amount", \.amount),
        .field("currency", \.currency), .field("token", \.token), .field("capture", \.capture))

    public init(_ request: ChargeRequest) {
        self.init(
            amount: request.amount.amount, currency: request.amount.currency, token: request.method.token, capture: nil)
    }
}

/// A charge of the ledger.
public struct SandboxCharge: Sendable, Equatable {
    public enum Status: String, JSONCodable, CaseIterable {
        /// Reserved on the card, to be captured or voided.
        case authorized
        case captured
        case declined
        /// Nothing was or will be captured under the key.
        case voided
    }

    public let key: String
    public let status: Status
    /// The reason, such as `insufficient_funds`; nil unless the card was declined.
    public let declineCode: String?
    /// 0 if the key was voided before any charge.
    public let amount: Int64
    /// nil if the key was voided before any charge.
    public let currency: Currency?
    public let captured: Int64
    /// The sum of all refunds; at most `captured`.
    public let refunded: Int64
    /// nil for charges of the first version, which stored no times.
    public let createdAt: Date?

    /// - Throws: `PaymentProviderError.noAnswer` for an authorized charge, which a shop never requests.
    public func outcome() throws(PaymentProviderError) -> ChargeOutcome {
        switch status {
        case .captured: return .captured
        case .declined: return .declined(code: declineCode ?? "card_declined")
        case .voided: return .voided
        case .authorized: throw .noAnswer
        }
    }
}

extension SandboxCharge: JSONModel {
    public static let json = JSONObject(
        SandboxCharge.init(key:status:declineCode:amount:currency:captured:refunded:createdAt:), .field("key", \.key),
        .field("status", \.status), .field("declineCode", \.declineCode), .field("amount", \.amount),
        .field("currency", \.currency), .field("captured", \.captured), .field("refunded", \.refunded),
        .field("createdAt", \.createdAt))
}

/// The body of `POST /v1/refunds`.
public struct RefundRequestBody: Sendable, Equatable {
    /// The key of the charge.
    public let charge: String
    /// Above 0.
    public let amount: Int64
    /// Refused if it differs from the charge's; nil means the charge's.
    public let currency: Currency?
}

extension RefundRequestBody: JSONModel {
    public static let json = JSONObject(
        RefundRequestBody.init(charge:amount:currency:), .field("charge", \.charge), .field("amount", \.amount),
        .field("currency", \.currency))

    public init(_ request: RefundRequest) {
        self.init(charge: request.chargeKey, amount: request.amount.amount, currency: request.amount.currency)
    }
}

/// A refund of the ledger.
public struct SandboxRefund: Sendable, Equatable {
    public let key: String
    /// The key of the charge.
    public let charge: String
    public let amount: Int64
    public let currency: Currency
    /// nil for refunds of the first version, which stored no times.
    public let createdAt: Date?
}

extension SandboxRefund: JSONModel {
    public static let json = JSONObject(
        SandboxRefund.init(key:charge:amount:currency:createdAt:), .field("key", \.key), .field("charge", \.charge),
        .field("amount", \.amount), .field("currency", \.currency), .field("createdAt", \.createdAt))
}

/// The answer to `GET /v1/ledger`.
public struct LedgerHead: Sendable, Equatable {
    public let id: String

    /// The name of a header for any request: the id of the ledger that the caller expects. Another ledger refuses the
    /// request and books nothing.
    public static let headerName = "Ledger-Id"
}

extension LedgerHead: JSONModel {
    public static let json = JSONObject(LedgerHead.init(id:), .field("id", \.id))
}
