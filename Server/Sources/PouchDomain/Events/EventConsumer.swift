import Foundation
import PouchEntities

/// Takes the events of some types in their order, each once.
///
/// The effects of events that a consumer stores, such as mails to send, are committed together with its place. So each
/// event has its effect exactly once, also after a crash, and however many processes run the consumer.
///
///     let mail = EventConsumer("mail", environment.store, wants: { _ in [.orderPaid] }) { events, repositories in
///         for event in events { try mails.queue(for: event, in: repositories) }
///     }
///     try await mail.run()
public struct EventConsumer: Sendable {
    /// The largest number of events in one transaction.
    private static let batch = 200

    public let name: String
    private let store: any Store
    private let wants: @Sendable (any Repositories) throws -> Set<EventType>?
    private let take: @Sendable ([EventRecord], any Repositories) throws -> Void

    /// - Parameters:
    ///   - name: unique in the shop; its place is stored under it.
    ///   - wants: the types of the events to take; nil for all. The others are passed.
    ///   - take: stores what follows from the events. Sending belongs in a later step, since a transaction may run more
    ///     than once.
    public init(
        _ name: String, _ store: any Store,
        wants: @escaping @Sendable (any Repositories) throws -> Set<EventType>? = { _ in nil },
        take: @escaping @Sendable ([EventRecord], any Repositories) throws -> Void
    ) {
        self.name = name
        self.store = store
        self.wants = wants
        self.take = take
    }

    /// Takes all events that are there.
    ///
    /// - Returns: whether there were any, of any type.
    @discardableResult
    public func run() async throws -> Bool {
        var hasTaken = false
        while try await takeSome() {
            hasTaken = true
            try Task.checkCancellation()
        }
        return hasTaken
    }

    /// Whether there are events to take or to pass.
    public func hasNew() async throws -> Bool {
        try await store.read { repositories in
            try repositories.events.lastPosition() > repositories.events.places()[name] ?? 0
        }
    }

    private func takeSome() async throws -> Bool {
        // Reads without a lock first, since most runs find no event.
        guard try await hasNew() else { return false }
        return try await store.write(.readCommitted) { repositories in
            let events = repositories.events
            let place = try events.place(of: name)
            // Events that get their positions from here on are left for the next transaction: it knows who wants them.
            let last = try events.lastPosition()
            guard last > place else { return false }
            let types = try wants(repositories)
            let found =
                types?.isEmpty == true
                ? []
                : try events.events(of: nil, types: types, after: place, through: last, limit: Self.batch)
            if !found.isEmpty { try take(found, repositories) }
            try events.setPlace(of: name, found.count < Self.batch ? last : found.last?.position ?? last)
            return true
        }
    }
}
