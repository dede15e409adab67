import Foundation
import Synchronization

/// The catalogue in this process, kept current with changes by any process.
///
/// It checks for changes only on request, when the last check is too old. During a check other requests get the known
/// snapshot, unless that is too old for them.
public final class CatalogFollower: Sendable {
    /// The interval between checks for published changes.
    private static let versionInterval: TimeInterval = 0.25
    /// The greatest age of a confirmed version; with the time to load it stays below a second.
    private static let versionBound: TimeInterval = 0.75
    /// The interval between checks for changes of stock, well within the 5 s of the contract.
    private static let stockInterval: TimeInterval = 2
    /// Changes are stamped before they are committed, perhaps on another machine, so each check reaches this far back.
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

    /// The current snapshot, never one from before a boundary of the clock that has passed, or the store's error when
    /// the known snapshot is too old and cannot be confirmed.
    public func current() async throws -> CatalogSnapshot {
        while true {
            let (known, refresh) = check(at: time.now)
            if let known { return known }
            // A check that was already running may have read before the boundary.
            if let found = try await refresh?.value, found.holds(at: time.now) { return found }
        }
    }

    /// The snapshot that may be used without waiting; nil if it is too old, which begins a check.
    public var ready: CatalogSnapshot? { check(at: time.now).0 }

    /// - Returns: the known snapshot if it may be used, and the check that is running.
    private func check(at now: Date) -> (CatalogSnapshot?, Task<CatalogSnapshot, any Error>?) {
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
        // The store's thread builds the snapshot, which takes long for a large catalogue.
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

    /// The available units of SKUs that may have changed. The expiry of a hold changes no row, so expired holds are
    /// added each time; the end of a hold changes the row of its SKU.
    fileprivate func availability(changedSince: Date, at now: Date) throws -> [String: Int] {
        let expired = try stock.expiredHolds(at: now)
        return try catalog.availability(changedSince: changedSince, skus: Array(expired.keys))
            .merging(expired, uniquingKeysWith: +)
    }
}

extension CatalogSnapshot {
    fileprivate func holds(at moment: Date) -> Bool { validUntil.map { moment < $0 } ?? true }
}
