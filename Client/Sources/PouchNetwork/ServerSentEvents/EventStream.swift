import Foundation

/// The events that a server sends as they happen. A connection that ends is made again, from the last event on.
///
/// The sequence ends when the server answers 204, and when the task that reads is cancelled. Each iterator has a
/// connection of its own.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    public typealias Failure = EventStreamError

    private let request: NetworkRequest
    private let session: NetworkSession
    private let lastEventId: String
    private let eventLimit: Int

    /// - Parameters:
    ///   - request: its timeout is the silence after which the connection is made again; nil waits for ever.
    ///   - session: its retry policy says how many connections may fail in a row, and how long to wait between.
    ///   - lastEventId: where an earlier stream stopped; empty for a new one.
    ///   - eventLimit: the most bytes of an event.
    public init(
        _ request: NetworkRequest, in session: NetworkSession, lastEventId: String = "", eventLimit: Int = 1 << 20
    ) {
        self.request = request
        self.session = session
        self.lastEventId = lastEventId
        self.eventLimit = eventLimit
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(request: request, session: session, lastId: lastEventId, eventLimit: eventLimit)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Where the server does not say how long to wait before the next connection; at least and at most where it does.
        private static let standardRetry = Duration.seconds(3)
        private static let shortestRetry = Duration.seconds(1)
        private static let longestRetry = Duration.seconds(300)
        private static let refusalLimit = 128 << 10

        /// Whether the server has answered with events so far, be it that none has come yet.
        public private(set) var hasConnected = false

        private let request: NetworkRequest
        private let session: NetworkSession
        private let eventLimit: Int
        private var parser: EventParser
        private var body: NetworkBody.AsyncIterator?
        private var ready: ArraySlice<ServerSentEvent> = []
        private var retry = standardRetry
        private var failures = 0
        /// What the last failure adds to the next pause.
        private var backoff = Duration.zero
        private var isFirst = true
        private var isOver = false

        fileprivate init(request: NetworkRequest, session: NetworkSession, lastId: String, eventLimit: Int) {
            self.request = request
            self.session = session
            self.eventLimit = eventLimit
            parser = EventParser(lastId: lastId, limit: eventLimit)
        }

        public mutating func next() async throws(EventStreamError) -> ServerSentEvent? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(EventStreamError) -> ServerSentEvent? {
            while !isOver {
                if let event = ready.popFirst() { return event }
                do throws(EventStreamError) {
                    try await read()
                } catch {
                    isOver = true
                    if error == .network(.cancelled) { return nil }
                    throw error
                }
            }
            return nil
        }

        /// One piece of the body, or the connection for it.
        private mutating func read() async throws(EventStreamError) {
            guard var pieces = body else { return try await connect() }
            do throws(NetworkError) {
                guard let piece = try await pieces.next() else { return drop() }
                body = pieces
                ready = try parsed(piece)[...]
            } catch {
                // The server was there: what counts as a failure is the next connection.
                if error == .cancelled { throw .network(error) }
                if case .tooLarge(let limit) = error { throw .tooLarge(limit: limit) }
                drop()
            }
            if !ready.isEmpty { failures = 0 }
            if let asked = parser.retry { retry = Swift.min(Swift.max(asked, Self.shortestRetry), Self.longestRetry) }
        }

        private mutating func parsed(_ piece: Data) throws(NetworkError) -> [ServerSentEvent] {
            do throws(EventStreamError) {
                return try parser.events(in: piece)
            } catch {
                throw .tooLarge(limit: eventLimit)
            }
        }

        private mutating func drop() {
            body = nil
            // Half an event is none; the id before it counts.
            parser = EventParser(lastId: parser.lastId, limit: eventLimit)
        }

        private mutating func connect() async throws(EventStreamError) {
            try await pause()
            var request = request
            request.headers["Accept"] = "text/event-stream"
            request.headers["Cache-Control"] = "no-store"
            if !parser.lastId.isEmpty { request.headers["Last-Event-ID"] = parser.lastId }
            let response: StreamedResponse
            do throws(NetworkError) {
                response = try await session.stream(request)
            } catch {
                return try fail(.failure(error), as: .network(error))
            }
            switch response.status {
            case 200:
                let type = response.headers["Content-Type"]
                guard type?.lowercased().hasPrefix("text/event-stream") == true else {
                    throw .notAnEventStream(mediaType: type)
                }
                body = response.body.makeAsyncIterator()
                hasConnected = true
            case 204: isOver = true
            default:
                let refusal = try await refusal(response)
                try fail(.success(refusal), as: .refused(refusal))
            }
        }

        private func refusal(_ response: StreamedResponse) async throws(EventStreamError) -> NetworkResponse {
            do throws(NetworkError) {
                return try await within(request.timeout, on: session.clock) { () throws(NetworkError) in
                    try await response.collected(upTo: Self.refusalLimit)
                }
            } catch {
                if error == .cancelled { throw .network(error) }
                return NetworkResponse(status: response.status, headers: response.headers)
            }
        }

        private mutating func fail(
            _ ending: Result<NetworkResponse, NetworkError>, as error: EventStreamError
        ) throws(EventStreamError) {
            failures += 1
            guard
                let pause = session.retries.pause(after: ending, of: request, failures: failures, now: session.now())
            else { throw error }
            backoff = pause
        }

        private mutating func pause() async throws(EventStreamError) {
            defer { (isFirst, backoff) = (false, .zero) }
            guard !isFirst else { return }
            guard (try? await session.clock.sleep(for: retry + backoff)) != nil else { throw .network(.cancelled) }
        }
    }
}
