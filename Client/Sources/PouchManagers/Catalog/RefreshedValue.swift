import Foundation
import PouchData

/// A part of the catalogue that is answered from memory or the local store at once and read anew when it is stale.
///
/// Equal askers share one refresh. One that fails is told, is tried again later, and does not count as one.
/// While somebody follows, a task keeps the value fresh; nobody does, and there is none.
actor RefreshedValue<Value: Sendable> {
    typealias State = CatalogState<Value>

    private struct Outcome: Sendable {
        let number: Int
        let result: Result<Dated<Value>, DataError>?
    }

    private let freshFor: Duration
    private let retry: Freshness
    private let time: CatalogTime
    private let stored: @Sendable () async -> State?
    private let read: @Sendable () async throws(DataError) -> Dated<Value>
    private let refreshed: @Sendable () -> Void

    private nonisolated let current = CurrentValue(State())
    private let outcomes = CurrentValue(Outcome(number: 0, result: nil))
    private var isRestored = false
    private var running: Task<Void, Never>?
    /// Whether what is being read may be of before a change.
    private var isOutdated = false
    private var keeper: Task<Void, Never>?
    /// When the value was last read; nil for one that is to be read anew.
    private var refreshedAt: Date?
    private var failures = 0
    private var nextTry: Date?

    /// - Parameters:
    ///   - freshFor: at least a second.
    ///   - stored: what the local store has.
    ///   - read: asks the shop. What it gives with a staleness does not count as a refresh.
    ///   - refreshed: told after each refresh that succeeded.
    init(
        freshFor: Duration,
        retry: Freshness,
        time: CatalogTime,
        stored: @escaping @Sendable () async -> State?,
        read: @escaping @Sendable () async throws(DataError) -> Dated<Value>,
        refreshed: @escaping @Sendable () -> Void = {}
    ) {
        self.freshFor = max(freshFor, .seconds(1))
        self.retry = retry
        self.time = time
        self.stored = stored
        self.read = read
        self.refreshed = refreshed
        // Who follows keeps the value alive; without them nothing does but its owner.
        current.onFollowChange { [weak self] in
            guard let self else { return }
            Task { await self.settleKeeper() }
        }
    }

    /// The state as it is, then each later one.
    nonisolated func states() -> AsyncStream<State> { current.values() }

    /// What is known, at once; it is refreshed behind the caller's back where it is stale. Where nothing is known, the
    /// caller waits for it.
    func value() async throws(DataError) -> Dated<Value> {
        await restore()
        let state = current.value
        guard let value = state.value else { return try await refresh() }
        if time.now() >= due { begin() }
        return Dated(value, staleness: state.failure.map { Staleness(asOf: state.asOf, cause: $0) })
    }

    /// Reads anew, together with all who ask for it at the same time.
    ///
    /// - Throws: why it could not be read, also where an older value is known.
    @discardableResult
    func refresh() async throws(DataError) -> Dated<Value> {
        let asked = outcomes.value.number
        begin()
        return try await outcome(after: asked)
    }

    /// Reads now what could not be read at the last try.
    func retry() async {
        if failures > 0 { _ = try? await refresh() }
    }

    /// Something else has changed the value: whoever knows it is to hear of the new one.
    func invalidate() {
        (refreshedAt, nextTry) = (nil, nil)
        isOutdated = running != nil
        if current.value.value != nil || current.isFollowed { begin() }
        // It waits for when the old value was due.
        keeper?.cancel()
        keeper = nil
        settleKeeper()
    }

    private var due: Date {
        let stale: Date
        if let refreshedAt, refreshedAt <= time.now() {
            stale = refreshedAt.addingTimeInterval(freshFor.seconds)
        } else {
            // Never read, or by a clock that was set back since.
            stale = .distantPast
        }
        return max(stale, nextTry ?? .distantPast)
    }

    private func restore() async {
        guard !isRestored else { return }
        let state = await stored()
        // Another call may have got here first, or have read it from the shop meanwhile.
        guard !isRestored else { return }
        isRestored = true
        guard let state, current.value.value == nil else { return }
        refreshedAt = state.asOf
        current.set(State(value: state.value, asOf: state.asOf, failure: current.value.failure))
    }

    private func begin() {
        guard running == nil else { return }
        running = Task { await attempt() }
    }

    private func attempt() async {
        let asked = time.now()
        let result: Result<Dated<Value>, DataError>
        do throws(DataError) {
            let dated = try await read()
            result = take(dated, at: asked)
        } catch {
            result = fail(error)
        }
        running = nil
        if isOutdated {
            (isOutdated, refreshedAt) = (false, nil)
            begin()
        }
        outcomes.set(Outcome(number: outcomes.value.number + 1, result: result))
    }

    private func take(_ dated: Dated<Value>, at asked: Date) -> Result<Dated<Value>, DataError> {
        guard let staleness = dated.staleness else {
            isRestored = true
            (refreshedAt, nextTry, failures) = (asked, nil, 0)
            current.set(State(value: dated.value, asOf: asked))
            refreshed()
            return .success(dated)
        }
        // Better than nothing, and than what is older.
        if current.value.value == nil || (current.value.asOf ?? .distantPast) < (staleness.asOf ?? .distantPast) {
            current.set(State(value: dated.value, asOf: staleness.asOf, failure: staleness.cause))
        }
        _ = fail(staleness.cause)
        return .success(dated)
    }

    private func fail(_ error: DataError) -> Result<Dated<Value>, DataError> {
        failures += 1
        nextTry = time.now().addingTimeInterval(retry.wait(after: failures, error, random: time.random()).seconds)
        let state = current.value
        current.set(State(value: state.value, asOf: state.asOf, failure: error))
        return .failure(error)
    }

    private func outcome(after number: Int) async throws(DataError) -> Dated<Value> {
        // A task that is cancelled leaves the loop, and the refresh to the others.
        for await outcome in outcomes.values() {
            guard outcome.number > number, let result = outcome.result else { continue }
            return try result.get()
        }
        throw DataError(.cancelled)
    }

    // MARK: While somebody follows

    private func settleKeeper() {
        if !current.isFollowed {
            keeper?.cancel()
            keeper = nil
        } else if keeper == nil {
            keeper = Task { await keep() }
        }
    }

    private func keep() async {
        await restore()
        while !Task.isCancelled {
            let wait = due.timeIntervalSince(time.now())
            if wait <= 0 {
                _ = try? await refresh()
            } else {
                // Not longer than an hour, since a device may sleep or its clock be set.
                try? await time.sleep(min(wait, 3_600))
            }
        }
    }
}
