import Foundation
import Logging
import PouchDomain

/// A payment provider for tests and demos: it moves no money, and the card's token decides the outcome.
///
///     let ledger = try await SandboxLedger(path: "sandbox-payments.sqlite")
///     let payments = SandboxProvider(ledger: ledger)
///     let outcome = try await payments.charge(
///         ChargeRequest(key: "pay_1", ledgerId: ledger.id, method: .card(token: "tok_ok"), amount: total))
///
/// A shop calls it in process; `SandboxService` serves the same provider over HTTP.
public struct SandboxProvider: Sendable {
    /// The delays of the slow cards.
    public struct Timing: Sendable {
        /// The time until `tok_slow` is charged.
        public let slow: Duration
        /// The time between the charge of `tok_lost` and the loss of its answer.
        public let lost: Duration

        public init(slow: Duration, lost: Duration) {
            self.slow = slow
            self.lost = lost
        }

        public static let standard = Timing(slow: .seconds(5), lost: .seconds(10))
    }

    let ledger: SandboxLedger
    private let timing: Timing
    private let logger: Logger

    public init(ledger: SandboxLedger, timing: Timing = .standard, logger: Logger = Logger(label: "pouch.sandbox")) {
        self.ledger = ledger
        self.timing = timing
        self.logger = logger
    }

    // MARK: Charges and refunds

    /// Charges the card once per key.
    ///
    /// - Throws: `AnswerLost` once `tok_lost` is charged; `SandboxProblem` for everything that is refused.
    func charge(_ key: String, _ request: ChargeRequestBody) async throws -> Booked<SandboxCharge> {
        guard request.amount > 0 else { throw SandboxProblem(.validationFailed, "amount must be above 0.") }
        let card = SandboxCard(token: request.token)
        switch card {
        case .good, .declined: break
        case .slow, .lost, .failing:
            // Only the first request with a key is slow, lost or failing; a booked charge is returned immediately.
            if let charge = try await ledger.booked(key, request) { return Booked(entry: charge, isReplay: true) }
        }
        if card == .failing { throw SandboxProblem(.nothingBooked) }
        // A caller that hangs up does not cancel its charge.
        if card == .slow { try? await Task.sleep(for: timing.slow) }
        let booked = try await ledger.book(key, request, declineCode: card.declineCode)
        if card == .lost, !booked.isReplay {
            try? await Task.sleep(for: timing.lost)
            throw AnswerLost()
        }
        return booked
    }

    /// Refunds a part of a charge once per key.
    ///
    /// - Throws: `SandboxProblem`.
    func refund(_ key: String, _ request: RefundRequestBody) async throws -> Booked<SandboxRefund> {
        guard request.amount > 0 else { throw SandboxProblem(.validationFailed, "amount must be above 0.") }
        return try await ledger.refund(key, request)
    }

    /// - Throws: `SandboxProblem` if the caller expects a different ledger.
    func checkLedger(_ id: String) throws {
        guard id == ledger.id else { throw SandboxProblem(.wrongLedger, "This is the ledger \(ledger.id).") }
    }
}

/// The charge was booked, but its caller gets no answer.
struct AnswerLost: Error {}

/// The behaviour of a card, chosen by its token.
private enum SandboxCard: Equatable {
    case good
    case declined(code: String)
    /// Charged after a delay.
    case slow
    /// Charged, but the answer is lost.
    case lost
    /// The provider fails and books nothing.
    case failing

    init(token: String) {
        self =
            switch token {
            case "tok_ok": .good
            case "tok_slow": .slow
            case "tok_lost": .lost
            case "tok_error": .failing
            case "tok_declined": .declined(code: "card_declined")
            case "tok_insufficient_funds": .declined(code: "insufficient_funds")
            default: .declined(code: "unknown_card")
            }
    }

    var declineCode: String? {
        if case .declined(let code) = self { code } else { nil }
    }
}

// MARK: - In process

/// Answers every call even if its caller is cancelled, because the answer says what was booked.
extension SandboxProvider: PaymentProvider {
    public func ledgerId() -> String { ledger.id }

    public func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        try await booking(in: request.ledgerId) { try await charge(request.key, ChargeRequestBody(request)).entry }
            .outcome()
    }

    public func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        try await booking(in: ledgerId) { try await ledger.void(key) }.outcome()
    }

    public func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        _ = try await booking(in: request.ledgerId) { try await refund(request.key, RefundRequestBody(request)) }
    }

    private func booking<Entry>(
        in ledgerId: String, _ book: () async throws -> Entry
    ) async throws(PaymentProviderError) -> Entry {
        do {
            try checkLedger(ledgerId)
            return try await book()
        } catch {
            throw SandboxProblem(error, logger: logger).code.providerError
        }
    }
}
