import Foundation
import PouchNetwork

/// A server-sent event, as raw data.
public struct ServiceEvent: Sendable, Equatable {
    /// The id after which a stream can continue: the last one sent, with this event or before. Empty if none was sent.
    public let id: String
    public let name: String
    public let data: Data

    init(_ event: ServerSentEvent) {
        id = event.id
        name = event.event
        data = Data(event.data.utf8)
    }
}

/// The events of one endpoint, for the signed-in customer or guest.
///
/// Reconnects without limit after a lost connection, while the server is unavailable, and if another program responds
/// instead. Continues after the last event. Refreshes a refused token, but not twice in a row. The sequence ends when
/// the server closes it (204), or when the reading task is cancelled.
public struct ServiceEventStream: AsyncSequence, Sendable {
    /// A stream of events, and the session whose token it sends.
    struct Connection: Sendable {
        let session: Session?
        var events: EventStream.AsyncIterator
    }

    /// Creates a connection that continues after an id. After a refusal of a session's token, it sends a new token.
    typealias Connect =
        @Sendable (_ lastEventId: String, _ refused: Session?) async throws(ServiceError) -> Connection

    let lastEventId: String
    let validator: ResponseValidator
    let clock: any Clock<Duration>
    let connect: Connect

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// The pause after an attempt that failed, or to which a program in between responded instead of the server.
        private static let retry = Duration.seconds(3)

        private let stream: ServiceEventStream
        private var lastEventId: String
        private var connection: Connection?
        private var refused: Session?
        private var isOver = false

        fileprivate init(_ stream: ServiceEventStream) {
            self.stream = stream
            lastEventId = stream.lastEventId
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ServiceError) -> ServiceEvent? {
            guard !isOver else { return nil }
            do throws(ServiceError) {
                if let event = try await read() { return event }
                isOver = true
                return nil
            } catch {
                isOver = true
                if error.reason == .network(.cancelled) { return nil }
                throw error
            }
        }

        private mutating func read(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> ServiceEvent? {
            while true {
                var connection = try await connected()
                do throws(EventStreamError) {
                    let event = try await connection.events.next(isolation: actor)
                    self.connection = connection
                    guard let event else { return nil }
                    lastEventId = event.id
                    return ServiceEvent(event)
                } catch {
                    let error = stream.validator.serviceError(error)
                    if case .unreadable = error.reason, error.status != nil {
                        self.connection = nil
                        try await pause()
                        continue
                    }
                    let wasRefreshed = refused != nil && !connection.events.hasConnected
                    guard let session = connection.session, error.refusesToken, !wasRefreshed else { throw error }
                    self.connection = nil
                    refused = session
                }
            }
        }

        private func connected() async throws(ServiceError) -> Connection {
            while true {
                if let connection { return connection }
                do {
                    return try await stream.connect(lastEventId, refused)
                } catch {
                    guard error.isTransient else { throw error }
                    try await pause()
                }
            }
        }

        private func pause() async throws(ServiceError) {
            guard (try? await stream.clock.sleep(for: Self.retry)) != nil else {
                throw ServiceError(.network(.cancelled))
            }
        }
    }
}

extension ResponseValidator {
    fileprivate func serviceError(_ error: EventStreamError) -> ServiceError {
        switch error {
        case .network(let error): return ServiceError(ServiceError.Reason(error))
        case .refused(let response): return failure(of: response, expected: "an event stream")
        case .notAnEventStream(let mediaType):
            return ServiceError(
                .unreadable("expected an event stream, received \(mediaType ?? "no media type")"), status: 200)
        case .tooLarge(let limit):
            return ServiceError(.unreadable("an event is larger than \(limit) bytes"))
        }
    }
}
