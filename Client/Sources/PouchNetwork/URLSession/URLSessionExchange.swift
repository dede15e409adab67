import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One task of a URLSession, from the delegate's calls to the reading task.
final class URLSessionExchange: Sendable {
    /// URLSession keeps reading while the bytes are not consumed (and suspending a task restarts it on Linux). To
    /// protect the process's memory, an exchange whose reader falls behind by more than this is cancelled.
    private static let longestBacklog = NetworkBody.standardLimit

    private let task: URLSessionTask
    private let exchange: ResponseExchange
    private let onProgress: (@Sendable (Int64, Int64) -> Void)?
    private let hasRejectedChallenge = Atomic(false)

    init(_ task: URLSessionTask, onProgress: (@Sendable (Int64, Int64) -> Void)?) {
        self.task = task
        self.onProgress = onProgress
        exchange = ResponseExchange(onCancel: { task.cancel() })
    }

    func response() async throws(NetworkError) -> StreamedResponse {
        try await exchange.response { task.resume() }
    }

    func cancel(as error: NetworkError) {
        exchange.cancel(as: error)
    }

    // MARK: - Calls from the delegate

    func received(_ response: URLResponse) {
        // On Linux, the delegate also receives informational responses (RFC 9110, section 15.2).
        guard let head = Self.head(of: response), head.status >= 200 else { return }
        exchange.received(head, length: response.expectedContentLength)
    }

    func received(_ data: Data) {
        if exchange.received(data) > Self.longestBacklog {
            exchange.cancel(as: .tooLarge(limit: Self.longestBacklog))
        }
    }

    func sent(_ count: Int64, of total: Int64) {
        onProgress?(count, total)
    }

    func rejectedChallenge() {
        hasRejectedChallenge.store(true, ordering: .relaxed)
    }

    func completed(with error: (any Error)?) {
        let response = task.response
        // On Linux, a rejected challenge ends with "cancelled" although the complete response has arrived.
        if let error, !(hasRejectedChallenge.load(ordering: .relaxed) && response != nil) {
            exchange.end(.failure(NetworkError(error, hasHead: response != nil)))
        } else if let head = response.flatMap(Self.head) {
            exchange.received(head, length: 0)
            exchange.end(.success(()))
        } else {
            exchange.end(.failure(.failed("the response is not HTTP")))
        }
    }

    private static func head(of response: URLResponse) -> ResponseExchange.Head? {
        guard let response = response as? HTTPURLResponse else { return nil }
        let fields = response.allHeaderFields.compactMap { name, value -> HeaderFields.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderFields.Field(name: name, value: value)
        }
        return (response.statusCode, HeaderFields(fields))
    }
}

// MARK: - Errors

extension NetworkError {
    fileprivate init(_ error: any Error, hasHead: Bool) {
        guard let error = error as? URLError else {
            self = .failed(String(describing: type(of: error)))
            return
        }
        // Only the code, because the description would contain the URL.
        let text = "URLError \(error.code.rawValue)"
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
            .internationalRoamingOff, .dataNotAllowed:
            self = .unreachable(text)
        // On Linux, the code is `badServerResponse` if the connection closes without a response, and `unknown` if it
        // closes within the body.
        case .badServerResponse, .networkConnectionLost: self = .connectionLost(text)
        case .unknown where hasHead: self = .connectionLost(text)
        // The connection was lost after its handshake.
        case .unknown where error.says(["SSL_read", "SSL_write"]): self = .connectionLost(text)
        case .unknown where error.says(["wrong version number", "packet length too long", "http request"]):
            self = .noTLS(text)
        case .unknown where error.says(["SSL", "TLS", "certificate"]): self = .untrusted(text)
        case .unsupportedURL where error.says(["HTTP/0.9"]): self = .noHTTP(text)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .untrusted(text)
        default: self = .failed(text)
        }
    }
}

extension URLError {
    /// On Linux, only libcurl's text distinguishes these errors.
    fileprivate func says(_ parts: [String]) -> Bool {
        parts.contains { localizedDescription.contains($0) }
    }
}
