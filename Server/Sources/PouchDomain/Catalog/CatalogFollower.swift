import Foundation
import Synchronization

/// The catalogue as this process knows it, following what any process changes.
///
/// It looks for changes when somebody asks and the last look is too long ago, and never otherwise. While it looks,
/// others get what is known, unless that is older than they may be told.
public final class CatalogFollower: Sendable {
    /// A published change is looked for this often.
    private static let versionInterval: TimeInterval = 0.25
    /// Nobody is told a version that was last confirmed longer ago than this; with loading it stays below a second.
    private static let versionBound: TimeInterval = 0.75
    /// Changes of stock are looked for this often, well within the 5 s of the contract.
    private static let stockInterval: TimeInterval = 2
    /// A change is stamped before it is committed, perhaps on another machine: each look begins this much earlier.
    private static let stockOverlap: TimeInterval = 30

    private let store: any Store
    private let time: any TimeSource
    private let state: Mutex<State>

    private struct State {
        var snapshot: CatalogSnapshot
        var versionSeen: Date
        var stockSeen: Date
        var refresh: Task<CatalogSnapshot, any Error>?
    }

    /// Loads the catalogue.
    public init(store: any Store, time: any TimeSource) async throws {
        self.store = store
        self.time = time
        let now = time.now
        let snapshot = try await store.read { try $0.snapshot(at: now) }
        state = Mutex(State(snapshot: snapshot, versionSeen: now, stockSeen: now, refresh: nil))
    }

    /// Nobody is told what was so before a boundary of the clock once it has passed.
    ///
    /// - Throws: what the store throws, when what is known is too old to be told and cannot be confirmed.
    public func current() async throws -> CatalogSnapshot {
        while true {
            let (known, refresh) = look(at: time.now)
            if let known { return known }
            // What another began to look for may be of a moment before the boundary.
            if let found = try await refresh?.value, found.holds(at: time.now) { return found }
        }
    }

    /// - Returns: what may be told, and the look that is under way.
    private func look(at now: Date) -> (CatalogSnapshot?, Task<CatalogSnapshot, any Error>?) {
        state.withLock { state in
            let age = now.timeIntervalSince(state.versionSeen)
            let holds = state.snapshot.holds(at: now)
            if holds, (0..<Self.versionInterval).contains(age) { return (state.snapshot, nil) }
            let refresh = state.refresh ?? Task { try await self.refresh() }
            state.refresh = refresh
            return (holds && (0..<Self.versionBound).contains(age) ? state.snapshot : nil, refresh)
        }
    }

    private func refresh() async throws -> CatalogSnapshot {
        defer { state.withLock { $0.refresh = nil } }
        let now = time.now
        let (known, stockSeen) = state.withLock { ($0.snapshot, $0.stockSeen) }
        let wantsStock = !(0..<Self.stockInterval).contains(now.timeIntervalSince(stockSeen))
        // A snapshot is built on the store's thread: for a large catalogue that takes long.
        let (snapshot, isStockNew) = try await store.read { repositories in
            if try repositories.catalog.version() != known.version || !known.holds(at: now) {
                return (try repositories.snapshot(at: now), true)
            }
            guard wantsStock else { return (known, false) }
            let changes = try repositories.availability(
                changedSince: stockSeen.addingTimeInterval(-Self.stockOverlap), at: now)
            return (known.withAvailability(changes), true)
        }
        state.withLock { state in
            state.snapshot = snapshot
            state.versionSeen = now
            if isStockNew { state.stockSeen = now }
        }
        return snapshot
    }
}

extension Repositories {
    fileprivate func snapshot(at now: Date) throws -> CatalogSnapshot {
        try CatalogSnapshot(catalog.content(at: now)).withAvailability(availability(changedSince: now, at: now))
    }

    /// What can be bought of the SKUs whose figures may be others than before. That a hold has expired changes no row, so
    /// the units of those are told each time; whatever ends a hold changes the figure of its SKU.
    fileprivate func availability(changedSince: Date, at now: Date) throws -> [String: Int] {
        let expired = try stock.expiredHolds(at: now)
        return try catalog.availability(changedSince: changedSince, skus: Array(expired.keys))
            .merging(expired, uniquingKeysWith: +)
    }
}

extension CatalogSnapshot {
    fileprivate func holds(at moment: Date) -> Bool { validUntil.map { moment < $0 } ?? true }
}
