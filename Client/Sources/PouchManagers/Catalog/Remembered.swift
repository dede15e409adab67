/// Values by key with the moment of their last refresh. A refresh that fails changes nothing, so it doesn't count.
struct Remembered<Key: Hashable & Sendable, Value: Sendable> {
    private struct Entry {
        let value: Value
        let refreshedAt: ContinuousClock.Instant
    }

    private var entries: [Key: Entry] = [:]

    /// - Returns: nil when there is none, or only an older one.
    func value(for key: Key, notOlderThan age: Duration, at now: ContinuousClock.Instant) -> Value? {
        guard let entry = entries[key], entry.refreshedAt.duration(to: now) <= age else { return nil }
        return entry.value
    }

    mutating func remember(_ value: Value, for key: Key, at now: ContinuousClock.Instant) {
        entries[key] = Entry(value: value, refreshedAt: now)
    }
}
