import PouchNetwork

/// The events of one endpoint, in the name of whoever is signed in.
///
/// A connection that breaks, and a server that is away, also at the start, is tried again without an end, from the last
/// event on. The token that a connection is refused for is renewed, once in a row. The sequence ends when the server has
/// nothing more to tell (204), and when the task that reads is cancelled.
public struct ServiceEventStream: AsyncSequence, Sendable {
    public typealias Element = ServiceEvent
    public typealias Failure = ServiceError

    /// A stream of events, and whose token it shows.
    struct Connection: Sendable {
        let session: Session?
        var events: EventStream.AsyncIterator
    }

    /// Makes a stream that goes on behind an id, in the place of one whose token was refused.
    typealias Connect =
        @Sendable (_ lastEventId: String, _ refused: Session?) async throws(ServiceError) -> Connection

    let lastEventId: String
    let judge: AnswerJudge
    let clock: any Clock<Duration>
    let connect: Connect

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lastEventId: lastEventId, judge: judge, clock: clock, connect: connect)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Between two tries to renew a token.
        private static let retry = Duration.seconds(3)

        private let judge: AnswerJudge
        private let clock: any Clock<Duration>
        private let connect: Connect
        private var lastEventId: String
        private var connection: Connection?
        private var refused: Session?
        private var isOver = false

        fileprivate init(
            lastEventId: String, judge: AnswerJudge, clock: any Clock<Duration>, connect: @escaping Connect
        ) {
            self.lastEventId = lastEventId
            self.judge = judge
            self.clock = clock
            self.connect = connect
        }

        public mutating func next() async throws(ServiceError) -> ServiceEvent? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ServiceError) -> ServiceEvent? {
            guard !isOver else { return nil }
            do throws(ServiceError) {
                if let event = try await read() { return event }
                isOver = true
                return nil
            } catch {
                isOver = true
                if error.reason == .cancelled { return nil }
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
                    let error = judge.judge(error)
                    let isRenewed = refused != nil && !connection.events.hasConnected
                    guard let session = connection.session, error.refusesToken, !isRenewed else { throw error }
                    self.connection = nil
                    refused = session
                }
            }
        }

        private func connected() async throws(ServiceError) -> Connection {
            while true {
                if let connection { return connection }
                do throws(ServiceError) {
                    return try await connect(lastEventId, refused)
                } catch {
                    guard error.mayPass else { throw error }
                    guard (try? await clock.sleep(for: Self.retry)) != nil else { throw ServiceError(.cancelled) }
                }
            }
        }
    }
}

extension ServiceError {
    /// Whether the server may be away for a while.
    fileprivate var mayPass: Bool {
        switch reason {
        case .unreachable, .timedOut: true
        default: status.map { $0 == 429 || $0 >= 500 } ?? false
        }
    }
}

extension AnswerJudge {
    fileprivate func judge(_ error: EventStreamError) -> ServiceError {
        switch error {
        case .network(let error): return ServiceError(ServiceError.Reason(error))
        case .refused(let response):
            guard case .failure(let error) = judge(response) else {
                return ServiceError(.unreadable("no stream of events"), status: response.status)
            }
            return error
        case .notAnEventStream(let mediaType):
            return ServiceError(.unreadable("no stream of events, but \(mediaType ?? "something")"), status: 200)
        case .tooLarge(let limit):
            return ServiceError(.unreadable("an event has more than \(limit) bytes"), status: 200)
        }
    }
}
