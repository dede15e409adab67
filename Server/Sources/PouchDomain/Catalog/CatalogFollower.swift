import Dispatch
import Foundation
import Synchronization

/// The catalogue in this process, kept current with changes by any process.
///
/// Readers get the current snapshot. Checks run concurrently: the server calls `refreshIfDue` at short intervals and
/// after announced changes. A check reads the changed products and derives the next snapshot from the last one.
/// Scheduled changes are prepared in advance, so that no reader gets an expired price, and none waits for the store at
/// that moment.
///
/// A reader waits only if there has been no check for long, for example after a pause of the process, and then no
/// longer than `timeout`. If checks fail or take longer, for example with an overloaded database, the last snapshot
/// stays in use: checkouts confirm every price. After a scheduled change that could not be prepared there is no usable
/// snapshot: readers wait until a check has ended or failed.
public final class CatalogFollower: Sendable {
    /// The interval between checks for published changes while there are readers.
    private static let versionInterval: TimeInterval = 0.25
    /// The maximum age of a confirmed version without a reason to be older.
    private static let versionBound: TimeInterval = 0.75
    /// The interval between checks for stock changes, well within the 5 s of the contract.
    private static let stockInterval: TimeInterval = 2
    /// The interval between checks without readers.
    private static let idleInterval: TimeInterval = 5
    /// Changes are stamped before they are committed, possibly on another machine, so each check goes back this far.
    private static let stockOverlap: TimeInterval = 30
    /// The pause after a failed check before a reader starts another one.
    private static let retryPause = Duration.seconds(1)
    /// If more than this part of the products changed, all are read, which takes less time.
    private static let maxChanged = 0.5

    private let store: any Store
    private let time: any TimeSource
    private let timeout: Duration
    /// Builds the snapshots, away from all threads that serve requests.
    private let builder = DispatchQueue(label: "pouch.catalog", qos: .utility)
    private let state: Mutex<State>

    private struct State {
        var snapshot: CatalogSnapshot
        /// nil until it has been prepared, and when no change is scheduled.
        var upcoming: UpcomingCatalog?
        var versionSeen: Date
        var stockSeen: Date
        var check: Check?
        /// The error of the last check.
        var failure: (any Error)?
        /// Whether the last check took longer than a reader waits.
        var wasSlow = false
        var wasRead = false
        var isAnnounced = false
        var waiting: [CheckedContinuation<(any Error)?, Never>] = []

        var isUnprepared: Bool { snapshot.validUntil != nil && upcoming == nil }

        /// Starts using the prepared snapshot when its time has come.
        mutating func pass(to now: Date) {
            guard !snapshot.holds(at: now), let upcoming, upcoming.snapshot.holds(at: now) else { return }
            snapshot = upcoming.published(after: snapshot)
            self.upcoming = nil
        }
    }

    /// A running check, or the last one.
    private struct Check {
        let start = ContinuousClock.now
        var isRunning = true
        /// Whether waiting readers have a timeout.
        var isTimed = false
    }

    /// Loads the catalogue.
    ///
    /// - Parameter timeout: the maximum time for which a reader waits for a check.
    public init(store: any Store, time: any TimeSource, timeout: Duration = .milliseconds(500)) async throws {
        self.store = store
        self.time = time
        self.timeout = timeout
        let now = time.now
        let loaded = try await store.read { try $0.loadCatalog(at: now) }
        let snapshot = await builder.run { CatalogSnapshot(loaded.content).withAvailability(loaded.availability) }
        state = Mutex(State(snapshot: snapshot, versionSeen: now, stockSeen: now))
        try await prepareBoundary()
    }

    // MARK: Readers

    /// The current snapshot, never one from before a scheduled change that has passed.
    ///
    /// - Throws: the store's error when a scheduled change has passed that could not be prepared.
    public func current() async throws -> CatalogSnapshot {
        var failure: (any Error)?
        while true {
            if let snapshot = ready { return snapshot }
            if let failure { throw failure }
            failure = await outcome()
        }
    }

    /// The snapshot to use now; nil if a reader has to wait for one in `current`.
    public var ready: CatalogSnapshot? {
        let now = time.now
        return state.withLock { state in
            state.wasRead = true
            state.pass(to: now)
            let age = now.timeIntervalSince(state.versionSeen)
            let holds = state.snapshot.holds(at: now)
            if holds, (0..<Self.versionInterval).contains(age) { return state.snapshot }
            let isRunning = state.check?.isRunning ?? false
            let duration = state.check.map { .now - $0.start } ?? .zero
            if !isRunning, !holds || state.failure == nil || duration > Self.retryPause { begin(&state) }
            let isLate = state.failure != nil || state.wasSlow || isRunning && duration >= timeout
            return holds && (isLate || (0..<Self.versionBound).contains(age)) ? state.snapshot : nil
        }
    }

    /// Waits until the running check has a result, or for `timeout`; returns its error.
    private func outcome() async -> (any Error)? {
        await withCheckedContinuation { reader in
            let (isWaiting, isTimed) = state.withLock { state in
                guard var check = state.check, check.isRunning else { return (false, true) }
                state.waiting.append(reader)
                defer {
                    check.isTimed = true
                    state.check = check
                }
                return (true, check.isTimed)
            }
            guard isWaiting else { return reader.resume(returning: nil) }
            guard !isTimed else { return }
            Task { [weak self, timeout] in
                try? await Task.sleep(for: timeout)
                self?.wake(nil)
            }
        }
    }

    private func wake(_ failure: (any Error)?) {
        let readers = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for reader in readers { reader.resume(returning: failure) }
    }

    // MARK: Checks

    /// Records that a change was published, which the next `refreshIfDue` reads.
    public func noteChange() {
        state.withLock { $0.isAnnounced = true }
    }

    /// Starts a check if one is due, and does not wait for it.
    ///
    /// - Returns: the time since the catalogue was confirmed, and the error of the last check if it failed.
    @discardableResult
    public func refreshIfDue() -> (age: TimeInterval, failure: (any Error)?) {
        let now = time.now
        return state.withLock { state in
            state.pass(to: now)
            let age = now.timeIntervalSince(state.versionSeen)
            let interval = state.wasRead ? Self.versionInterval : Self.idleInterval
            let isDue =
                !(0..<interval).contains(age) || state.isAnnounced || !state.snapshot.holds(at: now)
                || state.isUnprepared
            if isDue, !(state.check?.isRunning ?? false) { begin(&state) }
            return (age, state.failure)
        }
    }

    private func begin(_ state: inout State) {
        state.check = Check()
        state.wasRead = false
        state.isAnnounced = false
        Task {
            var failure: (any Error)?
            do {
                try await check()
                self.state.withLock { state in
                    state.failure = nil
                    state.wasSlow = state.check.map { .now - $0.start >= timeout } ?? false
                }
                // Readers need not wait for the rest.
                wake(nil)
                try await prepareBoundary()
            } catch {
                failure = error
            }
            self.state.withLock { state in
                state.check?.isRunning = false
                state.failure = failure
            }
            wake(failure)
        }
    }

    /// Reads what has changed, and publishes a snapshot with it.
    func check() async throws {
        while true {
            let now = time.now
            let (known, upcoming, stockSeen) = state.withLock { ($0.snapshot, $0.upcoming, $0.stockSeen) }
            let since = stockSeen.addingTimeInterval(-Self.stockOverlap)
            let wantsStock = !(0..<Self.stockInterval).contains(now.timeIntervalSince(stockSeen))
            let limit = max(100, Int(Double(known.parts.products.count) * Self.maxChanged))
            let found = try await store.read { repositories in
                try repositories.catalogChanges(
                    from: known, and: upcoming?.snapshot, at: now, wantsStock: wantsStock, stockSince: since,
                    limit: limit)
            }
            let next = await builder.run { (found.snapshot(after: known), upcoming.flatMap { $0.following(found) }) }
            let isPublished = state.withLock { state in
                // A scheduled change may have happened in the meantime.
                guard state.snapshot === known else { return false }
                state.snapshot = next.0
                state.upcoming = next.0.parts.index === known.parts.index ? next.1 : nil
                state.versionSeen = now
                if found.hasStock { state.stockSeen = now }
                return true
            }
            if isPublished { return }
        }
    }

    /// Builds the snapshot for the next scheduled change, unless it exists.
    func prepareBoundary() async throws {
        let (known, isUnprepared) = state.withLock { ($0.snapshot, $0.isUnprepared) }
        guard isUnprepared, let boundary = known.validUntil else { return }
        let read = try await store.read { repositories -> CatalogUpdate? in
            // A later version is left to the next check.
            guard try repositories.catalog.version() == known.version else { return nil }
            let catalog = repositories.catalog
            let ids = try catalog.products(changingAfter: known.parts.moment, until: boundary)
            return CatalogUpdate(
                moment: boundary, version: known.version, changesAt: try catalog.nextChange(after: boundary),
                productIds: ids, products: try catalog.products(ids: ids.sorted(), at: boundary),
                prices: try catalog.prices(changingAfter: known.parts.moment, until: boundary))
        }
        guard let read else { return }
        let upcoming = await builder.run { UpcomingCatalog(known.applying(read)) }
        state.withLock { state in
            if state.snapshot === known { state.upcoming = upcoming }
        }
    }
}

/// The snapshot for the next scheduled change.
private struct UpcomingCatalog: Sendable {
    var snapshot: CatalogSnapshot
    /// The numbers of the products whose prices may differ from the previous snapshot; nil if anything may differ.
    var changed: Set<Int>?

    /// - Parameter snapshot: derived from the previous one.
    init(_ snapshot: CatalogSnapshot) {
        self.snapshot = snapshot
        changed = snapshot.parts.marks.changed
    }

    func published(after predecessor: CatalogSnapshot) -> CatalogSnapshot {
        // It may have other products, with other numbers.
        guard let changed else { return snapshot.following(predecessor) }
        var parts = snapshot.parts
        parts.marks = predecessor.parts.marks
        parts.marks.begin(after: predecessor.parts.marks)
        for product in changed {
            parts.marks.mark(product, parts.products.priceDifference(product, from: predecessor.parts.products))
        }
        return CatalogSnapshot(parts)
    }
}

extension UpcomingCatalog {
    /// The snapshot after a check; nil if it must be prepared again.
    fileprivate func following(_ found: CatalogFindings) -> UpcomingCatalog? {
        let update: CatalogUpdate
        switch found {
        case .nothing: return self
        case .all, .changes(_, nil): return nil
        case .changes(_, let changes?): update = changes
        }
        var next = self
        next.snapshot = snapshot.applying(update)
        guard next.snapshot.parts.index === snapshot.parts.index else { return nil }
        let products = snapshot.parts.products
        next.changed?.formUnion(update.productIds.compactMap { products.number(id: $0) })
        // A season now opens or closes other products at the scheduled time.
        if next.snapshot !== snapshot, next.snapshot.parts.marks.changed == nil { next.changed = nil }
        return next
    }
}

extension DispatchQueue {
    /// Runs long work on a thread of the queue.
    fileprivate func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { caller in
            async { caller.resume(returning: work()) }
        }
    }
}
