import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PouchDomain
import PouchEntities
import PouchJSON
import PouchSandbox
import PouchTelemetry
import PouchWire
import Synchronization

/// A payment service over HTTP with the interface of `SandboxService`. Connections are kept alive and reused.
///
/// An error is `.failed` only if nothing can have been booked: the service was unreachable or says so itself. Every
/// other error is `.noAnswer`.
public final class HTTPPaymentProvider: PaymentProvider {
    /// The default time to wait for an answer; less than the settlement's grace period.
    public static let timeLimit = Duration.seconds(10)

    private let client: HTTPClient
    private let url: URL
    private let key: String?
    private let timeLimit: Duration
    /// Requested once, and again after the service refuses it.
    private let knownLedgerId = Mutex<String?>(nil)

    /// - Parameters:
    ///   - address: the address of the service, without `/v1`.
    ///   - key: the secret that the service expects as a bearer token.
    public init(at address: PeerAddress, key: String?, timeLimit: Duration = HTTPPaymentProvider.timeLimit) {
        var configuration = HTTPClient.Configuration.toPeer
        configuration.timeout = .init(connect: .seconds(3), read: TimeAmount(timeLimit))
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        // The buyer learns immediately that the provider is unreachable.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The service receives the caller's span, which has no child for the request.
        configuration.tracing.tracer = nil
        client = HTTPClient(configuration: configuration)
        url = address.url.appending(path: "v1/")
        self.key = key
        self.timeLimit = timeLimit
    }

    deinit {
        client.shutdown { _ in }
    }

    public func ledgerId() async throws(PaymentProviderError) -> String {
        if let id = knownLedgerId.withLock({ $0 }) { return id }
        let head: LedgerHead = try await send(.GET, "ledger")
        knownLedgerId.withLock { $0 = head.id }
        return head.id
    }

    public func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        let charge: SandboxCharge = try await sendUncancelled(
            .POST, "charges", ChargeRequestBody(request), idempotencyKey: request.key, ledgerId: request.ledgerId)
        return try charge.outcome()
    }

    public func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        guard let segment = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { throw .failed }
        let charge: SandboxCharge = try await send(.POST, "charges/\(segment)/void", ledgerId: ledgerId)
        return try charge.outcome()
    }

    public func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        let _: SandboxRefund = try await sendUncancelled(
            .POST, "refunds", RefundRequestBody(request), idempotencyKey: request.key, ledgerId: request.ledgerId)
    }

    // MARK: Requests

    /// Waits for the answer even if the caller is cancelled, because the answer says what was booked.
    private func sendUncancelled<Answer: JSONCodable>(
        _ method: HTTPMethod, _ path: String, _ body: some JSONCodable, idempotencyKey: String, ledgerId: String
    ) async throws(PaymentProviderError) -> Answer {
        guard let bytes = try? body.json() else { throw .failed }
        let task = Task { () async -> Result<Answer, PaymentProviderError> in
            do throws(PaymentProviderError) {
                return .success(
                    try await send(method, path, bytes, idempotencyKey: idempotencyKey, ledgerId: ledgerId))
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }

    private func send<Answer: JSONCodable>(
        _ method: HTTPMethod, _ path: String, _ body: Data? = nil, idempotencyKey: String? = nil,
        ledgerId: String? = nil
    ) async throws(PaymentProviderError) -> Answer {
        var request = HTTPClientRequest(url: url.absoluteString + path)
        request.method = method
        if let key { request.headers.add(name: HeaderName.authorization, value: "Bearer " + key) }
        if let trace = TraceContext.current {
            request.headers.add(name: HeaderName.traceparent, value: trace.traceparent)
        }
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
            throw Self.isUnsent(error) ? .failed : .noAnswer
        }
        guard (200..<300).contains(status.code) else { throw self.error(bytes) }
        guard let answer = try? Answer(json: bytes) else { throw .noAnswer }
        return answer
    }

    /// The meaning of an error response. A body that is not one of the service's problems may come from a proxy, which
    /// does not know what was booked.
    private func error(_ body: Data) -> PaymentProviderError {
        guard let problem = try? Problem(json: body),
            let code = SandboxProblemCode(rawValue: problem.code.rawValue)
        else { return .noAnswer }
        if code == .wrongLedger { knownLedgerId.withLock { $0 = nil } }
        return code.providerError
    }

    /// Whether the error happened before a connection existed, so that the request was certainly not sent.
    private static func isUnsent(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError, is NIOSSLExtraError: true
        case NIOSSLError.handshakeFailed: true
        case let error as IOError: [ECONNREFUSED, EADDRNOTAVAIL, EMFILE, ENFILE].contains(error.errnoCode)
        case let error as HTTPClientError:
            [.connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .alreadyShutdown].contains(error)
        default: false
        }
    }
}
