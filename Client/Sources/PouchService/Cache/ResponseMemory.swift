import Synchronization

/// The answers that were used last, in memory.
final class ResponseMemory: Sendable {
    fileprivate struct Entry {
        let response: CachedResponse
        var lastUse: UInt64
    }

    fileprivate struct State {
        var entries: [String: Entry] = [:]
        var bytes = 0
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())
    private let byteLimit: Int
    private let entryLimit: Int

    init(byteLimit: Int, entryLimit: Int) {
        self.byteLimit = byteLimit
        self.entryLimit = entryLimit
    }

    subscript(key: String) -> CachedResponse? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.uses += 1
            state.entries.values[index].lastUse = state.uses
            return state.entries.values[index].response
        }
    }

    /// Keeps the answer, unless it alone would take a quarter of the room or more.
    func keep(_ response: CachedResponse) {
        state.withLock { state in
            state.remove(response.key)
            guard response.byteCount < byteLimit / 4 else { return }
            state.uses += 1
            state.entries[response.key] = Entry(response: response, lastUse: state.uses)
            state.bytes += response.byteCount
            guard state.bytes > byteLimit || state.entries.count > entryLimit else { return }
            // Some more than needed, so that the next answers find room without a search.
            for (key, _) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                guard state.bytes > byteLimit * 3 / 4 || state.entries.count > entryLimit * 3 / 4 else { break }
                state.remove(key)
            }
        }
    }

    func remove(_ key: String) {
        state.withLock { $0.remove(key) }
    }
}

extension ResponseMemory.State {
    fileprivate mutating func remove(_ key: String) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        bytes -= entry.response.byteCount
    }
}
