import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its response, from the delegate's calls to the task that reads. A short body of announced length is
/// returned whole together with the head, so that the common case wakes its reader once.
final class URLSessionExchange: Sendable {
    typealias Head = Result<StreamedResponse, NetworkError>
    private typealias Chunk = Result<Data?, NetworkError>

    /// The most bytes that are gathered before the head is returned.
    private static let shortBody = 64 << 10
    /// URLSession keeps reading while the bytes are not consumed (and suspending a task restarts it on Linux). To
    /// protect the process's memory, the exchange of a reader that falls behind by more than this is cancelled.
    private static let longestBacklog = NetworkBody.standardLimit

    private struct State {
        var waitsForHead: CheckedContinuation<Head, Never>?
        var waitsForChunk: CheckedContinuation<Chunk, Never>?
        var backlog = Data()
        var ending: Result<Void, NetworkError>?
        var rejectedChallenge = false
    }

    private let task: URLSessionTask
    private let onProgress: (@Sendable (Int64, Int64) -> Void)?
    private let state = Mutex(State())

    init(_ task: URLSessionTask, onProgress: (@Sendable (Int64, Int64) -> Void)?) {
        self.task = task
        self.onProgress = onProgress
    }

    /// Starts the task. Cancelling ends it, now or later while the body is read.
    func head() async throws(NetworkError) -> StreamedResponse {
        let head: Head = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending = state.withLock { state in
                    if state.ending == nil { state.waitsForHead = continuation }
                    return state.ending
                }
                if ending == nil { task.resume() } else { continuation.resume(returning: .failure(.cancelled)) }
            }
        } onCancel: {
            cancel()
        }
        return try head.get()
    }

    /// Ends the exchange and drops its unread bytes, so that the body fails even if all of it had arrived. After a lost
    /// connection, by contrast, the bytes that had arrived can still be read.
    func cancel(as error: NetworkError = .cancelled) {
        end(.failure(error))
        state.withLock { state in
            guard !state.backlog.isEmpty else { return }
            state.backlog = Data()
            state.ending = .failure(error)
        }
        task.cancel()
    }

    // MARK: - Calls from the delegate

    func received(_ response: URLResponse) {
        // On Linux the delegate also gets informational responses (RFC 9110, section 15.2).
        if let response = response as? HTTPURLResponse, response.statusCode < 200 { return }
        guard !(0...Int64(Self.shortBody)).contains(response.expectedContentLength) else { return }
        deliverHead()
    }

    func received(_ data: Data) {
        guard !data.isEmpty else { return }
        let (reader, backlog) = state.withLock { state in
            if state.ending != nil { return (nil as CheckedContinuation<Chunk, Never>?, Data()) }
            state.backlog.append(data)
            guard let reader = state.waitsForChunk.take() else {
                return (nil, state.backlog)
            }
            return (reader, exchange(&state.backlog, with: Data()))
        }
        if let reader {
            reader.resume(returning: .success(backlog))
        } else if backlog.count > Self.longestBacklog {
            cancel(as: .tooLarge(limit: Self.longestBacklog))
        } else if backlog.count > Self.shortBody {
            deliverHead()
        }
    }

    func sent(_ count: Int64, of total: Int64) {
        onProgress?(count, total)
    }

    func rejectedChallenge() {
        state.withLock { $0.rejectedChallenge = true }
    }

    func completed(with error: (any Error)?) {
        // On Linux a rejected challenge ends with "cancelled" although the whole response has arrived.
        guard let error, !(state.withLock { $0.rejectedChallenge } && task.response != nil) else {
            return end(.success(()))
        }
        end(.failure(NetworkError(error, hasHead: task.response != nil)))
    }

    // MARK: - Results for the reader

    /// Returns the head, with a body that follows in pieces.
    private func deliverHead() {
        guard let waiting = state.withLock({ $0.waitsForHead.take() }) else { return }
        waiting.resume(returning: response(with: Reading(self).body))
    }

    private func end(_ ending: Result<Void, NetworkError>) {
        let before: State? = state.withLock { state in
            guard state.ending == nil else { return nil }
            defer { (state.ending, state.waitsForHead, state.waitsForChunk) = (ending, nil, nil) }
            return state
        }
        guard let before else { return }
        switch ending {
        case .success:
            before.waitsForHead?.resume(returning: response(with: NetworkBody(before.backlog)))
            before.waitsForChunk?.resume(returning: .success(nil))
        case .failure(let error):
            before.waitsForHead?.resume(returning: .failure(error))
            before.waitsForChunk?.resume(returning: .failure(error))
        }
    }

    private func response(with body: NetworkBody) -> Head {
        guard let response = task.response as? HTTPURLResponse else {
            return .failure(.failed("the response is not HTTP"))
        }
        let fields = response.allHeaderFields.compactMap { name, value -> HeaderFields.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderFields.Field(name: name, value: value)
        }
        return .success(StreamedResponse(status: response.statusCode, headers: HeaderFields(fields), body: body))
    }

    private func nextChunk() async throws(NetworkError) -> Data? {
        let chunk: Chunk = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: Chunk? = state.withLock { state in
                    if !state.backlog.isEmpty { return .success(exchange(&state.backlog, with: Data())) }
                    guard let ending = state.ending else {
                        state.waitsForChunk = continuation
                        return nil
                    }
                    return ending.map { nil }
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        return try chunk.get()
    }

    /// Cancels the exchange once the body is released. The exchange itself lives as long as its task.
    private final class Reading: Sendable {
        private let exchange: URLSessionExchange

        init(_ exchange: URLSessionExchange) {
            self.exchange = exchange
        }

        deinit {
            exchange.cancel()
        }

        var body: NetworkBody {
            NetworkBody { () throws(NetworkError) in try await self.exchange.nextChunk() }
        }
    }
}

// MARK: - Errors

extension NetworkError {
    fileprivate init(_ error: any Error, hasHead: Bool) {
        guard let error = error as? URLError else {
            self = .failed(String(describing: type(of: error)))
            return
        }
        // The code only: the description would contain the URL.
        let text = "URLError \(error.code.rawValue)"
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
            .internationalRoamingOff, .dataNotAllowed:
            self = .unreachable(text)
        // On Linux a connection that closes without a response has the first code, one that closes within the body
        // `unknown`.
        case .badServerResponse, .networkConnectionLost: self = .connectionLost(text)
        case .unknown where hasHead: self = .connectionLost(text)
        case .unknown where error.isOfTLS: self = .untrusted(text)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .untrusted(text)
        default: self = .failed(text)
        }
    }
}

extension URLError {
    /// On Linux only libcurl's text shows that the server's certificate was refused.
    fileprivate var isOfTLS: Bool {
        ["SSL", "TLS", "certificate"].contains { localizedDescription.contains($0) }
    }
}
