import Foundation
import PouchDomain
import PouchEntities

/// A payment provider for trying things out: the card's token decides what happens.
public struct SandboxPayments: PaymentProvider {
    /// How long the slow cards take.
    public struct Timing: Sendable {
        /// Until `tok_slow` is charged.
        public let slow: Duration
        /// Until the answer for `tok_lost` is given up.
        public let lost: Duration

        public init(slow: Duration, lost: Duration) {
            self.slow = slow
            self.lost = lost
        }

        public static let standard = Timing(slow: .seconds(5), lost: .seconds(10))
    }

    private let ledger: SandboxLedger
    private let timing: Timing

    init(ledger: SandboxLedger, timing: Timing) {
        self.ledger = ledger
        self.timing = timing
    }

    public func ledgerId() -> String { ledger.id }

    public func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        guard request.ledgerId == ledger.id else { throw .failed }
        switch request.method.token {
        case "tok_ok":
            return try await book(request)
        case "tok_slow":
            try await wait(timing.slow)
            return try await book(request)
        case "tok_lost":
            _ = try await book(request)
            try await wait(timing.lost)
            throw .noAnswer
        case "tok_error":
            throw .failed
        case "tok_declined":
            return try await book(request, declineCode: "card_declined")
        case "tok_insufficient_funds":
            return try await book(request, declineCode: "insufficient_funds")
        default:
            return try await book(request, declineCode: "unknown_card")
        }
    }

    public func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        guard ledgerId == ledger.id else { throw .failed }
        do { return try await ledger.void(key) } catch { throw .noAnswer }
    }

    public func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        guard request.ledgerId == ledger.id else { throw .failed }
        let isRefunded: Bool
        do { isRefunded = try await ledger.refund(request.chargeKey) } catch { throw .noAnswer }
        guard isRefunded else { throw .failed }
    }

    private func book(
        _ request: ChargeRequest, declineCode: String? = nil
    ) async throws(PaymentProviderError) -> ChargeOutcome {
        do {
            return try await ledger.book(request.key, amount: request.amount, declineCode: declineCode)
        } catch {
            throw .noAnswer
        }
    }

    private func wait(_ duration: Duration) async throws(PaymentProviderError) {
        do { try await Task.sleep(for: duration) } catch { throw .noAnswer }
    }
}
