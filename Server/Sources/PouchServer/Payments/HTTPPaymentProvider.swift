import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PouchDomain
import PouchEntities
import PouchSandbox
import PouchWire
import Synchronization

/// Asks a payment service over HTTP. Connections are kept and used again.
///
/// Only what surely booked nothing is `.failed`: the service could not be reached, or says so itself. Whatever else goes
/// wrong is `.noAnswer`.
public final class HTTPPaymentProvider: PaymentProvider {
    /// How long an answer is waited for. The settlement's patience is longer.
    public static let timeLimit = Duration.seconds(10)

    private let client: HTTPClient
    private let address: @Sendable () async throws(PaymentProviderError) -> URL
    private let key: String?
    private let timeLimit: Duration
    /// Asked for once, and again after the service has said that it is another one.
    private let knownLedgerId = Mutex<String?>(nil)

    /// - Parameters:
    ///   - address: where the service is, without `/v1`; asked before each request.
    ///   - key: the secret that it asks for.
    public init(
        key: String?, timeLimit: Duration = HTTPPaymentProvider.timeLimit,
        address: @escaping @Sendable () async throws(PaymentProviderError) -> URL
    ) {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: .seconds(3), read: TimeAmount(timeLimit))
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        // A shop that cannot reach its provider says so at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(configuration: configuration)
        self.address = address
        self.key = key
        self.timeLimit = timeLimit
    }

    deinit {
        client.shutdown { _ in }
    }

    public func ledgerId() async throws(PaymentProviderError) -> String {
        if let id = knownLedgerId.withLock({ $0 }) { return id }
        let head: LedgerHead = try await ask(.GET, "ledger")
        knownLedgerId.withLock { $0 = head.id }
        return head.id
    }

    public func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        let body = ChargeRequestBody(
            amount: request.amount.amount, currency: request.amount.currency, token: request.method.token)
        let charge: SandboxCharge = try await askToTheEnd(
            .POST, "charges", body, idempotencyKey: request.key, ledgerId: request.ledgerId)
        return try charge.outcome()
    }

    public func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        guard let segment = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { throw .failed }
        let charge: SandboxCharge = try await ask(.POST, "charges/\(segment)/void", ledgerId: ledgerId)
        return try charge.outcome()
    }

    public func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        let body = RefundRequestBody(
            charge: request.chargeKey, amount: request.amount.amount, currency: request.amount.currency)
        let _: SandboxRefund = try await askToTheEnd(
            .POST, "refunds", body, idempotencyKey: request.key, ledgerId: request.ledgerId)
    }

    // MARK: Requests

    /// Waits for the answer even where the caller is cancelled, since it tells what was booked.
    private func askToTheEnd<Answer: Decodable & Sendable>(
        _ method: HTTPMethod, _ path: String, _ body: some Encodable & Sendable, idempotencyKey: String,
        ledgerId: String
    ) async throws(PaymentProviderError) -> Answer {
        guard let bytes = try? WireJSON.encode(body) else { throw .failed }
        let task = Task { () async -> Result<Answer, PaymentProviderError> in
            do throws(PaymentProviderError) {
                return .success(
                    try await ask(method, path, bytes, idempotencyKey: idempotencyKey, ledgerId: ledgerId))
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }

    private func ask<Answer: Decodable>(
        _ method: HTTPMethod, _ path: String, _ body: Data? = nil, idempotencyKey: String? = nil,
        ledgerId: String? = nil
    ) async throws(PaymentProviderError) -> Answer {
        var request = HTTPClientRequest(url: try await address().appending(path: "v1/").absoluteString + path)
        request.method = method
        if let key { request.headers.add(name: HeaderName.authorization, value: "Bearer " + key) }
        if let ledgerId { request.headers.add(name: LedgerHead.headerName, value: ledgerId) }
        if let idempotencyKey { request.headers.add(name: HeaderName.idempotencyKey, value: idempotencyKey) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let status: HTTPResponseStatus
        let bytes: Data
        do {
            let response = try await client.execute(request, timeout: TimeAmount(timeLimit))
            status = response.status
            bytes = Data(try await response.body.collect(upTo: 64 << 10).readableBytesView)
        } catch {
            throw UnsentRequest.isSure(error) ? .failed : .noAnswer
        }
        guard (200..<300).contains(status.code) else { throw refusal(bytes) }
        guard let answer = try? WireJSON.decode(Answer.self, from: bytes) else { throw .noAnswer }
        return answer
    }

    /// What an answer means that is no good one. Whoever does not speak as the service does, as a proxy may, does not
    /// know what was booked.
    private func refusal(_ body: Data) -> PaymentProviderError {
        guard let problem = try? WireJSON.decode(Problem.self, from: body),
            let code = SandboxProblemCode(rawValue: problem.code.rawValue)
        else { return .noAnswer }
        switch code {
        case .internalError, .unavailable: return .noAnswer
        case .wrongLedger:
            knownLedgerId.withLock { $0 = nil }
            return .failed
        default: return .failed
        }
    }
}

extension SandboxCharge {
    fileprivate func outcome() throws(PaymentProviderError) -> ChargeOutcome {
        switch status {
        case .captured: return .captured
        case .declined: return .declined(code: declineCode ?? "card_declined")
        case .voided: return .voided
        // The shop asks for no such thing.
        case .authorized: throw .noAnswer
        }
    }
}
