import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its answer, from the delegate's calls to whoever reads.
///
/// A short body whose length was announced is handed over whole together with the head, so that the common case wakes
/// its reader once.
final class URLSessionExchange: Sendable {
    typealias Head = Result<StreamedResponse, NetworkError>
    private typealias Chunk = Result<Data?, NetworkError>

    /// What is gathered before the head is handed over.
    private static let shortBody = 64 << 10
    /// URLSession reads on while nobody takes the bytes (suspending a task on Linux starts it anew): a reader that
    /// falls behind by more than this loses the exchange, not the process its memory.
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

    /// Starts the task. Cancelling ends it, now or while the body is read.
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

    /// What came before a connection broke can still be read; what came before this cannot.
    func cancel(as error: NetworkError = .cancelled) {
        end(.failure(error))
        state.withLock { $0.backlog = Data() }
        task.cancel()
    }

    // MARK: What the delegate hears

    func received(_ response: URLResponse) {
        // On Linux an answer that is only the first of two (RFC 9110, section 15.2) is heard of, too.
        if let response = response as? HTTPURLResponse, response.statusCode < 200 { return }
        guard !(0...Int64(Self.shortBody)).contains(response.expectedContentLength) else { return }
        handOverHead()
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
            handOverHead()
        }
    }

    func sent(_ count: Int64, of total: Int64) {
        onProgress?(count, total)
    }

    func rejectedChallenge() {
        state.withLock { $0.rejectedChallenge = true }
    }

    func completed(with error: (any Error)?) {
        // On Linux a rejected challenge ends with "cancelled" although the whole answer has arrived.
        guard let error, !(state.withLock { $0.rejectedChallenge } && task.response != nil) else {
            return end(.success(()))
        }
        end(.failure(NetworkError(error, hasHead: task.response != nil)))
    }

    // MARK: Handing over

    /// The head, with a body that follows in pieces.
    private func handOverHead() {
        guard let waiting = state.withLock({ $0.waitsForHead.take() }) else { return }
        waiting.resume(returning: response(with: Reading(self).body))
    }

    private func end(_ ending: Result<Void, NetworkError>) {
        let (head, chunk, backlog) = state.withLock { state in
            guard state.ending == nil else {
                return (nil as CheckedContinuation<Head, Never>?, nil as CheckedContinuation<Chunk, Never>?, Data())
            }
            state.ending = ending
            return (state.waitsForHead.take(), state.waitsForChunk.take(), state.backlog)
        }
        switch ending {
        case .success:
            head?.resume(returning: response(with: NetworkBody(backlog)))
            chunk?.resume(returning: .success(nil))
        case .failure(let error):
            head?.resume(returning: .failure(error))
            chunk?.resume(returning: .failure(error))
        }
    }

    private func response(with body: NetworkBody) -> Head {
        guard let response = task.response as? HTTPURLResponse else {
            return .failure(.failed("the answer is not HTTP"))
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

    /// Lives as long as the body; the exchange lives as long as its task.
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
