import Foundation
import PouchEntities

/// Processes the events of some types in order, each once.
///
/// The effects that a consumer stores, such as e-mails to send, are committed together with its place. So each event
/// takes effect exactly once, even after a crash, and however many processes run the consumer.
///
///     let mail = EventConsumer("mail", environment.store, types: [.orderPaid]) { events, repositories in
///         for event in events { try mails.queue(for: event, in: repositories) }
///     }
///     try await mail.run()
public struct EventConsumer: Sendable {
    /// The events that a consumer wants in one transaction, and their effect.
    public struct Interest {
        /// nil for all types. Events of other types are skipped.
        let types: Set<EventType>?
        let take: ([EventRecord]) throws -> Void

        /// - Parameter take: stores the effects of the events. Sending belongs in a later step, since a transaction may
        ///   run more than once.
        public init(types: Set<EventType>?, take: @escaping ([EventRecord]) throws -> Void) {
            self.types = types
            self.take = take
        }
    }

    private enum Batch {
        case empty
        /// All existing events.
        case last
        /// The maximum of one transaction, so more may follow.
        case full
    }

    /// The maximum number of events in one transaction.
    private static let batch = 200

    public let name: String
    private let store: any Store
    private let interest: @Sendable (any Repositories) throws -> Interest

    /// - Parameters:
    ///   - name: a name unique in the shop, under which the consumer's place is stored.
    ///   - interest: read in each transaction that processes events.
    public init(
        _ name: String, _ store: any Store, interest: @escaping @Sendable (any Repositories) throws -> Interest
    ) {
        self.name = name
        self.store = store
        self.interest = interest
    }

    /// - Parameters:
    ///   - name: a name unique in the shop, under which the consumer's place is stored.
    ///   - types: as in `Interest`.
    ///   - take: as in `Interest`.
    public init(
        _ name: String, _ store: any Store, types: Set<EventType>? = nil,
        take: @escaping @Sendable ([EventRecord], any Repositories) throws -> Void
    ) {
        self.init(name, store) { repositories in Interest(types: types) { try take($0, repositories) } }
    }

    /// Processes all existing events, in transactions that lock the consumer's place.
    ///
    /// - Returns: whether there were any, of any type.
    @discardableResult
    public func run() async throws -> Bool {
        var batch = try await takeSome()
        let hasTaken = batch != .empty
        while batch == .full {
            try Task.checkCancellation()
            batch = try await takeSome()
        }
        return hasTaken
    }

    /// Whether there are events to process or to skip. Locks nothing.
    public func hasNew(in repositories: any Repositories) throws -> Bool {
        try repositories.events.lastPosition() > repositories.events.positions()[name] ?? 0
    }

    private func takeSome() async throws -> Batch {
        try await store.write(.readCommitted) { repositories -> Batch in
            let events = repositories.events
            let position = try events.position(of: name)
            // Events that get their positions after this are left for the next transaction, which knows who wants them.
            let last = try events.lastPosition()
            guard last > position else { return .empty }
            let wanted = try interest(repositories)
            let found =
                wanted.types?.isEmpty == true
                ? []
                : try events.events(
                    types: wanted.types, after: position, through: last, limit: Self.batch)
            if !found.isEmpty { try wanted.take(found) }
            let isFull = found.count == Self.batch
            try events.setPosition(of: name, isFull ? found.last?.position ?? last : last)
            return isFull ? .full : .last
        }
    }
}
