import Foundation

/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Equatable {
    /// The last id that the server sent, with this event or before; empty if it has sent none.
    public let id: String
    /// `message` if the server names no event.
    public let event: String
    /// The data lines, joined by `\n`.
    public let data: String

    public init(id: String = "", event: String = "message", data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}

/// The reason why a stream of events ended before the server closed it.
public enum EventStreamError: Error, Sendable, Equatable {
    /// The last failure, after as many consecutive failed connections as the retry policy has attempts.
    case network(NetworkError)
    /// A status other than 200 and 204. The body is empty if it exceeds 128 KiB or does not arrive.
    case refused(NetworkResponse)
    /// A 200 with another media type.
    case notAnEventStream(mediaType: String?)
    /// An event exceeds the limit in bytes.
    case tooLarge(limit: Int)
}

/// The events that a server sends as they happen. After a lost connection, the stream reconnects and continues after
/// the last event. It ends when the server responds with 204, or when the reading task is cancelled. Each iterator has
/// its own connection.
///
///     for try await event in EventStream(NetworkRequest(url: url), in: session) {
///         print(event.event, event.data)
///     }
public struct EventStream: AsyncSequence, Sendable {
    private let request: NetworkRequest
    private let session: NetworkSession
    private let lastEventId: String
    private let eventLimit: Int

    /// - Parameters:
    ///   - request: its timeout is the maximum silence before the stream reconnects; nil means no limit.
    ///   - session: its retry policy decides how many connections may fail in a row, and the pauses between them.
    ///   - lastEventId: the id after which to continue; empty for a new stream.
    ///   - eventLimit: the maximum size of an event, in bytes.
    public init(
        _ request: NetworkRequest, in session: NetworkSession, lastEventId: String = "", eventLimit: Int = 1 << 20
    ) {
        self.request = request
        self.session = session
        self.lastEventId = lastEventId
        self.eventLimit = eventLimit
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// The pause before a reconnection if the server does not set one, and the bounds if it does.
        private static let standardRetry = Duration.seconds(3)
        private static let shortestRetry = Duration.seconds(1)
        private static let longestRetry = Duration.seconds(300)
        private static let refusalLimit = 128 << 10

        /// Whether the server has accepted a connection, even if it has not sent an event yet.
        public private(set) var hasConnected = false

        private let stream: EventStream
        private var parser: EventParser
        private var body: NetworkBody.AsyncIterator?
        private var ready: ArraySlice<ServerSentEvent> = []
        private var retry = standardRetry
        private var failures = 0
        /// The part of the next pause that is caused by the last failure.
        private var backoff = Duration.zero
        private var isFirst = true
        private var isOver = false

        fileprivate init(_ stream: EventStream) {
            self.stream = stream
            parser = EventParser(lastId: stream.lastEventId, limit: stream.eventLimit)
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

        private mutating func read() async throws(EventStreamError) {
            guard var pieces = body else { return try await connect() }
            let piece: Data?
            do {
                piece = try await pieces.next()
            } catch {
                if error == .cancelled { throw .network(error) }
                if case .tooLarge(let limit) = error { throw .tooLarge(limit: limit) }
                // A lost connection is not a failure, because the server had accepted it. The next one may fail.
                piece = nil
            }
            guard let piece else {
                body = nil
                // An incomplete event is discarded; the id before it is used.
                parser = EventParser(lastId: parser.lastId, limit: stream.eventLimit)
                return
            }
            body = pieces
            ready = try parser.events(in: piece)[...]
            if !ready.isEmpty { failures = 0 }
            if let asked = parser.retry { retry = Swift.min(Swift.max(asked, Self.shortestRetry), Self.longestRetry) }
        }

        private mutating func connect() async throws(EventStreamError) {
            try await pause()
            var request = stream.request
            request.headers["Accept"] = "text/event-stream"
            request.headers["Cache-Control"] = "no-store"
            if !parser.lastId.isEmpty { request.headers["Last-Event-ID"] = parser.lastId }
            let response: StreamedResponse
            do {
                response = try await stream.session.stream(request)
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
            do {
                return try await within(stream.request.timeout, on: stream.session.clock) { () throws(NetworkError) in
                    try await response.collected(upTo: Self.refusalLimit)
                }
            } catch {
                if error == .cancelled { throw .network(error) }
                return NetworkResponse(status: response.status, headers: response.headers)
            }
        }

        /// Throws the error if the policy allows no more connections.
        private mutating func fail(
            _ outcome: Result<NetworkResponse, NetworkError>, as error: EventStreamError
        ) throws(EventStreamError) {
            failures += 1
            let session = stream.session
            guard
                let pause = session.options.retries.pause(
                    after: outcome, of: stream.request, failures: failures, now: session.now())
            else { throw error }
            backoff = pause
        }

        private mutating func pause() async throws(EventStreamError) {
            defer { (isFirst, backoff) = (false, .zero) }
            guard !isFirst else { return }
            guard (try? await stream.session.clock.sleep(for: retry + backoff)) != nil else {
                throw .network(.cancelled)
            }
        }
    }
}
