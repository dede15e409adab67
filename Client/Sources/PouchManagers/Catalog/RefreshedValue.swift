import Foundation
import PouchData

/// A part of the catalogue that is returned from memory or the local store immediately, and refreshed when it is stale.
/// Concurrent callers share one refresh. A failed refresh is published, and repeated after a pause. A task keeps the
/// value fresh while there are subscribers.
actor RefreshedValue<Value: Sendable> {
    /// The value is nil while it is unknown.
    typealias State = Dated<Value?>

    private let freshFor: TimeInterval
    private let timing: RefreshTiming
    private let stored: @Sendable () async -> Dated<Value>?
    private let read: @Sendable () async throws(DataError) -> Dated<Value>

    private nonisolated let current = CurrentValue(State(nil))
    private nonisolated let successes = Subscribers<Void>(limit: 1)
    private var isRestored = false
    private var refreshing: Task<Result<Dated<Value>, DataError>, Never>?
    /// Whether the refresh under way may return a value from before a change.
    private var isOutdated = false
    private var keeper: Task<Void, Never>?
    /// The time of the last refresh; nil for a value that must be refreshed.
    private var refreshedAt: Date?
    private var failures = 0
    private var nextTry: Date?

    /// - Parameters:
    ///   - freshFor: at least a second.
    ///   - read: a stale value does not count as a refresh.
    init(
        freshFor: Duration, _ timing: RefreshTiming,
        stored: @escaping @Sendable () async -> Dated<Value>?,
        read: @escaping @Sendable () async throws(DataError) -> Dated<Value>
    ) {
        self.freshFor = max(freshFor, .seconds(1)).seconds
        self.timing = timing
        self.stored = stored
        self.read = read
    }

    /// The current state, and again after each change. A subscription keeps the value alive and fresh.
    nonisolated func states() -> AsyncStream<State> {
        let states = current.values { [weak self] in
            guard let self else { return }
            Task { await self.subscriptionDidChange() }
        }
        Task { await subscriptionDidChange() }
        return states
    }

    /// An element for each successful refresh after this call. Subscribing does not keep the value fresh.
    nonisolated func refreshes() -> AsyncStream<Void> { successes.add() }

    /// Returns the known value immediately, and refreshes it in the background if it is stale. Waits for an unknown
    /// value.
    func value() async throws(DataError) -> Dated<Value> {
        await restore()
        let state = current.value
        guard let value = state.value else { return try await refresh() }
        if timing.now() >= due { startRefresh() }
        return Dated(value, asOf: state.failure == nil ? nil : state.asOf, failure: state.failure)
    }

    /// Reads the value, or waits for the refresh under way. Throws the reason why it could not be read, even if an
    /// older value is known.
    @discardableResult
    func refresh() async throws(DataError) -> Dated<Value> {
        // Cancelling a caller does not cancel the refresh for the others.
        try await startRefresh().valueUnlessCancelled.get()
    }

    func retry() async {
        if failures > 0 { _ = try? await refresh() }
    }

    /// Refreshes the value after a change elsewhere, if it is known or has subscribers.
    func invalidate() {
        (refreshedAt, nextTry) = (nil, nil)
        isOutdated = refreshing != nil
        if current.value.value != nil || current.hasSubscribers { startRefresh() }
        // It waits until the old value would have been due.
        keeper?.cancel()
        keeper = nil
        subscriptionDidChange()
    }

    private var due: Date {
        let stale: Date
        if let refreshedAt, refreshedAt <= timing.now() {
            stale = refreshedAt.addingTimeInterval(freshFor)
        } else {
            // Never read, or read before the clock was set back.
            stale = .distantPast
        }
        return max(stale, nextTry ?? .distantPast)
    }

    private func restore() async {
        guard !isRestored else { return }
        let known = await stored()
        // Another call may have restored or read the value since.
        guard !isRestored else { return }
        isRestored = true
        guard let known, current.value.value == nil else { return }
        refreshedAt = known.asOf
        current.set(State(known.value, asOf: known.asOf, failure: current.value.failure))
    }

    // MARK: Refreshing

    @discardableResult
    private func startRefresh() -> Task<Result<Dated<Value>, DataError>, Never> {
        if let refreshing { return refreshing }
        let task = Task { await attempt() }
        refreshing = task
        return task
    }

    private func attempt() async -> Result<Dated<Value>, DataError> {
        let asked = timing.now()
        let result: Result<Dated<Value>, DataError>
        do throws(DataError) {
            let dated = try await read()
            take(dated, at: asked)
            result = .success(dated)
        } catch {
            fail(error)
            result = .failure(error)
        }
        refreshing = nil
        if isOutdated {
            (isOutdated, refreshedAt) = (false, nil)
            startRefresh()
        }
        return result
    }

    private func take(_ dated: Dated<Value>, at asked: Date) {
        guard let failure = dated.failure else {
            isRestored = true
            (refreshedAt, nextTry, failures) = (asked, nil, 0)
            current.set(State(dated.value, asOf: asked))
            successes.send { () }
            return
        }
        // A stale value is better than none, and better than an older one.
        if current.value.value == nil || (current.value.asOf ?? .distantPast) < (dated.asOf ?? .distantPast) {
            current.set(State(dated.value, asOf: dated.asOf, failure: failure))
        }
        fail(failure)
    }

    private func fail(_ error: DataError) {
        failures += 1
        let wait = timing.freshness.wait(after: failures, error, random: timing.random())
        nextTry = timing.now().addingTimeInterval(wait.seconds)
        let state = current.value
        current.set(State(state.value, asOf: state.asOf, failure: error))
    }

    // MARK: Subscriptions

    private func subscriptionDidChange() {
        if !current.hasSubscribers {
            keeper?.cancel()
            keeper = nil
        } else if keeper == nil {
            keeper = Task { await keepFresh() }
        }
    }

    private func keepFresh() async {
        await restore()
        while !Task.isCancelled {
            let wait = due.timeIntervalSince(timing.now())
            if wait <= 0 {
                _ = try? await refresh()
            } else {
                // At most an hour: the device may sleep, or its clock may be set.
                try? await timing.clock.sleep(for: .seconds(min(wait, 3_600)))
            }
        }
    }
}

extension Duration {
    fileprivate var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}

/// The age at which catalogue data is refreshed, and the pauses between failed attempts.
public struct Freshness: Sendable, Equatable {
    /// The age limit of seasons, themes, categories, product lists, and an imported catalogue.
    public var catalog: Duration
    public var promotions: Duration
    /// The pause after the first failure. It doubles with each further one, and is shortened at random by up to half.
    public var firstRetry = Duration.seconds(5)
    /// The maximum pause.
    public var longestRetry = Duration.seconds(300)

    public init(catalog: Duration = .seconds(86_400), promotions: Duration = .seconds(7_200)) {
        self.catalog = catalog
        self.promotions = promotions
    }

    /// - Parameter failures: the number of consecutive failures, from 1.
    func wait(after failures: Int, _ error: DataError, random: Double) -> Duration {
        let full = min(firstRetry * (1 << min(max(0, failures - 1), 16)), longestRetry)
        let wait = full * (1 - random / 2)
        if case .busy(let asked?) = error.reason { return max(wait, min(asked, longestRetry)) }
        return wait
    }
}

/// The age limits, the time of day, the clock that waits, and random numbers in 0..<1, for all parts of the catalogue.
struct RefreshTiming: Sendable {
    let freshness: Freshness
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let random: @Sendable () -> Double
}
