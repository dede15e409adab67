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
        let snapshot = CatalogSnapshot(try await store.read { try $0.catalog.content() })
        state = Mutex(State(snapshot: snapshot, versionSeen: now, stockSeen: now, refresh: nil))
    }

    /// - Throws: what the store throws, when what is known is too old to be told and cannot be confirmed.
    public func current() async throws -> CatalogSnapshot {
        let now = time.now
        let (snapshot, refresh) = state.withLock { state -> (CatalogSnapshot?, Task<CatalogSnapshot, any Error>?) in
            let age = now.timeIntervalSince(state.versionSeen)
            if (0..<Self.versionInterval).contains(age) { return (state.snapshot, nil) }
            let refresh = state.refresh ?? Task { try await self.refresh() }
            state.refresh = refresh
            return ((0..<Self.versionBound).contains(age) ? state.snapshot : nil, refresh)
        }
        if let snapshot { return snapshot }
        return try await refresh?.value ?? state.withLock { $0.snapshot }
    }

    private func refresh() async throws -> CatalogSnapshot {
        defer { state.withLock { $0.refresh = nil } }
        let now = time.now
        let (known, stockSeen) = state.withLock { ($0.snapshot, $0.stockSeen) }
        let wantsStock = !(0..<Self.stockInterval).contains(now.timeIntervalSince(stockSeen))
        let found = try await store.read { repositories -> Found in
            if try repositories.catalog.version() != known.version {
                return .content(try repositories.catalog.content())
            }
            guard wantsStock else { return .nothing }
            return .stock(
                try repositories.catalog.availability(changedSince: stockSeen.addingTimeInterval(-Self.stockOverlap)))
        }
        let snapshot =
            switch found {
            case .content(let content): CatalogSnapshot(content)
            case .stock(let figures): Self.applied(figures, to: known)
            case .nothing: known
            }
        state.withLock { state in
            state.snapshot = snapshot
            state.versionSeen = now
            if case .nothing = found {} else { state.stockSeen = now }
        }
        return snapshot
    }

    private enum Found: Sendable {
        case content(CatalogContent)
        case stock([String: Int])
        case nothing
    }

    /// The same snapshot when no figure differs, so that what was made from it stays good.
    private static func applied(_ figures: [String: Int], to snapshot: CatalogSnapshot) -> CatalogSnapshot {
        let changes = figures.filter { sku, available in
            snapshot.variant(sku: sku).map { $0.variant.available != available } ?? false
        }
        return changes.isEmpty ? snapshot : snapshot.withAvailability(changes)
    }
}
