import Foundation
import Synchronization

/// One response, from the callbacks of an HTTP library to the task that reads it. A short body of announced length is
/// returned together with the head, so that the reader is woken only once in the common case.
package final class ResponseExchange: Sendable {
    package typealias Head = (status: Int, headers: HeaderFields)
    private typealias Chunk = Result<Data?, NetworkError>

    /// The maximum number of bytes that are collected before the head is returned.
    private static let shortBody = 64 << 10

    private struct State {
        var waitsForResponse: CheckedContinuation<Result<StreamedResponse, NetworkError>, Never>?
        var waitsForChunk: CheckedContinuation<Chunk, Never>?
        var head: Head?
        var backlog = Data()
        var isHeldBack = false
        var ending: Result<Void, NetworkError>?
    }

    private let onCancel: @Sendable () -> Void
    private let onDrain: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - onCancel: ends the library's work. Called once at most, and possibly before the work has started.
    ///   - onDrain: called once the reader has consumed the waiting bytes, if `hasRoom` was false.
    package init(onCancel: @escaping @Sendable () -> Void, onDrain: @escaping @Sendable () -> Void = {}) {
        self.onCancel = onCancel
        self.onDrain = onDrain
    }

    /// Starts the work. Cancelling ends it, now or later while the body is being read.
    package func response(startingWith start: @Sendable () -> Void) async throws(NetworkError) -> StreamedResponse {
        let response = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending = state.withLock { state in
                    if state.ending == nil { state.waitsForResponse = continuation }
                    return state.ending
                }
                if ending == nil { start() } else { continuation.resume(returning: .failure(.cancelled)) }
            }
        } onCancel: {
            cancel()
        }
        return try response.get()
    }

    /// Ends the exchange and discards its unread bytes, so that the body fails even if it was complete. After a lost
    /// connection, by contrast, the received bytes can still be read.
    package func cancel(as error: NetworkError = .cancelled) {
        if end(.failure(error), dropsUnread: true) { onCancel() }
    }

    /// Whether the work has ended or must end.
    package var hasEnded: Bool {
        state.withLock { $0.ending != nil }
    }

    // MARK: - Calls from the library

    /// - Parameter length: the announced length of the body; nil or negative if unknown.
    package func received(_ head: Head, length: Int64?) {
        state.withLock { $0.head = head }
        guard !(0...Int64(Self.shortBody)).contains(length ?? -1) else { return }
        deliverHead()
    }

    /// - Returns: the number of bytes that wait for the reader.
    @discardableResult
    package func received(_ data: Data) -> Int {
        guard !data.isEmpty else { return 0 }
        let (reader, backlog) = state.withLock { state in
            if state.ending != nil { return (nil as CheckedContinuation<Chunk, Never>?, Data()) }
            state.backlog.append(data)
            guard let reader = state.waitsForChunk.take() else { return (nil, state.backlog) }
            return (reader, exchange(&state.backlog, with: Data()))
        }
        if let reader {
            reader.resume(returning: .success(backlog))
            return 0
        }
        if backlog.count > Self.shortBody { deliverHead() }
        return backlog.count
    }

    /// Whether at most `limit` bytes wait for the reader. If not, `onDrain` is called once they are consumed.
    package func hasRoom(upTo limit: Int) -> Bool {
        state.withLock { state in
            state.isHeldBack = state.ending == nil && state.backlog.count > limit
            return !state.isHeldBack
        }
    }

    /// - Returns: false if the exchange has ended before.
    @discardableResult
    package func end(_ ending: Result<Void, NetworkError>) -> Bool {
        end(ending, dropsUnread: false)
    }

    private func end(_ ending: Result<Void, NetworkError>, dropsUnread: Bool) -> Bool {
        let before: State? = state.withLock { state in
            let before = state.ending == nil ? state : nil
            if before != nil {
                (state.ending, state.waitsForResponse, state.waitsForChunk) = (ending, nil, nil)
            }
            if dropsUnread, !state.backlog.isEmpty { (state.ending, state.backlog) = (ending, Data()) }
            return before
        }
        guard let before else { return false }
        switch ending {
        case .success:
            before.waitsForResponse?.resume(returning: Self.response(before.head, NetworkBody(before.backlog)))
            before.waitsForChunk?.resume(returning: .success(nil))
        case .failure(let error):
            before.waitsForResponse?.resume(returning: .failure(error))
            before.waitsForChunk?.resume(returning: .failure(error))
        }
        return true
    }

    // MARK: - Results for the reader

    /// Returns the head, with a body that follows in pieces.
    private func deliverHead() {
        let (waiting, head) = state.withLock { ($0.waitsForResponse.take(), $0.head) }
        waiting?.resume(returning: Self.response(head, Reading(self).body))
    }

    private static func response(_ head: Head?, _ body: NetworkBody) -> Result<StreamedResponse, NetworkError> {
        guard let head else { return .failure(.connectionLost("the head of the response is incomplete")) }
        return .success(StreamedResponse(status: head.status, headers: head.headers, body: body))
    }

    private func nextChunk() async throws(NetworkError) -> Data? {
        let chunk: Chunk = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (ready, isDrained): (Chunk?, Bool) = state.withLock { state in
                    if !state.backlog.isEmpty {
                        let chunk = exchange(&state.backlog, with: Data())
                        return (.success(chunk), exchange(&state.isHeldBack, with: false))
                    }
                    guard let ending = state.ending else {
                        state.waitsForChunk = continuation
                        return (nil, false)
                    }
                    return (ending.map { nil }, false)
                }
                if isDrained { onDrain() }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        return try chunk.get()
    }

    /// Cancels the exchange once the body is released. The exchange itself lives as long as its work.
    private final class Reading: Sendable {
        private let exchange: ResponseExchange

        init(_ exchange: ResponseExchange) {
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
