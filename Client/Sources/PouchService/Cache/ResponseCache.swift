import Foundation
import PouchNetwork
import Synchronization

/// Stores responses that are the same for all callers, in memory and, if it has a folder, on disk. The server need not
/// send them again, and they can be read while it is unreachable. Keys are complete URLs, so any number of services may
/// share a cache. Responses to calls with a session are never stored.
///
///     let cache = ResponseCache(folder: .cachesDirectory.appending(path: "shop"))
///     let service = APIWrapper(server: url, transport: transport, sessionStore: store, cache: cache)
public final class ResponseCache: Sendable {
    public struct Limits: Sendable {
        /// Above this limit, the least recently used responses are removed. A response of a quarter of it or more is
        /// not stored in memory.
        public var memoryBytes = 4 << 20
        /// A response of more than a quarter of this limit is not stored on disk.
        public var diskBytes = 64 << 20
        /// The maximum number of responses on disk, and in memory.
        public var entries = 4_000
        /// The maximum age of a response that is used because the server is unreachable.
        public var staleIfError = Duration.seconds(30 * 86_400)

        public init() {}
    }

    typealias Outcome = Result<ServiceAnswer, ServiceError>
    /// Sends a request, which may be conditional.
    typealias Fetch = @Sendable (_ request: NetworkRequest, _ isConditional: Bool) async -> Outcome

    private let memory: ResponseMemory
    private let files: ResponseFiles?
    private let limits: Limits
    private let now: @Sendable () -> Date
    private let fetches = SharedWork<String, Outcome>()
    private let lastWrite = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter folder: a folder that only this cache uses, created when it is first needed; nil stores responses
    ///   only in memory.
    public init(folder: URL? = nil, limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() }) {
        memory = ResponseMemory(byteLimit: limits.memoryBytes, entryLimit: limits.entries)
        files = folder.map { ResponseFiles(folder: $0, byteLimit: limits.diskBytes, entryLimit: limits.entries) }
        self.limits = limits
        self.now = now
    }

    /// Waits until all responses so far are on disk.
    public func flush() async {
        await lastWrite.withLock { $0 }?.value
    }

    /// The response for a key, from the cache or from the server. Concurrent equal requests are sent once.
    func answer(
        to key: String, _ request: NetworkRequest, _ fetch: @escaping Fetch
    ) async throws(ServiceError) -> ServiceAnswer {
        let known = await known(key)
        if let known, known.isFresh(at: now()) { return known.answer(isFromCache: true) }
        let work = { @Sendable [self] in await update(known, for: key, request, fetch) }
        if let known, known.mayBeUsedWhileRevalidating(at: now()) {
            Task { await fetches.value(for: key, work) }
            return known.answer(isFromCache: true)
        }
        guard let outcome = await fetches.value(for: key, work) else { throw ServiceError(.network(.cancelled)) }
        return try outcome.get()
    }

    /// The body of a stored response, as a file; nil without a folder or a stored response.
    func file(of key: String) async -> URL? {
        await flush()
        return await files?.file(key)
    }

    private func known(_ key: String) async -> CachedResponse? {
        if let response = memory[key] { return response }
        guard let response = await files?.read(key) else { return nil }
        memory.store(response)
        return response
    }

    private func update(
        _ known: CachedResponse?, for key: String, _ request: NetworkRequest, _ fetch: Fetch
    ) async -> Outcome {
        let requestedAt = now()
        let conditions = known?.conditions ?? [:]
        var request = request
        for field in conditions.fields { request.headers[field.name] = field.value }
        let outcome = await fetch(request, !conditions.fields.isEmpty)
        switch outcome {
        case .success(let answer) where answer.status == 304:
            guard let confirmed = known?.confirmed(by: answer.headers, requestedAt: requestedAt) else {
                // The next request has no condition, and so returns the current response.
                remove(key)
                return stale(known, insteadOf: ServiceError(.unreadable("304 for another response"), status: 304))
            }
            store(confirmed)
            return .success(confirmed.answer(isFromCache: false))
        case .success(let answer):
            if let response = CachedResponse(answer, for: key, requestedAt: requestedAt) {
                store(response)
            } else {
                remove(key)
            }
            return outcome
        case .failure(let error):
            if error.reason == .refused, error.status == 404 || error.status == 410 { remove(key) }
            return stale(known, insteadOf: error)
        }
    }

    private func stale(_ known: CachedResponse?, insteadOf error: ServiceError) -> Outcome {
        let age = TimeInterval(limits.staleIfError.components.seconds)
        guard let known, error.permitsStale, known.mayBeUsedOnError(at: now(), notOlderThan: age) else {
            return .failure(error)
        }
        var answer = known.answer(isFromCache: true)
        answer.staleness = .init(asOf: known.storedAt, cause: error)
        return .success(answer)
    }

    private func store(_ response: CachedResponse) {
        memory.store(response)
        updateFiles { await $0.write(response) }
    }

    private func remove(_ key: String) {
        memory.remove(key)
        updateFiles { await $0.remove(key) }
    }

    /// Changes the files later, in the order of the calls, so that callers do not wait for the disk.
    private func updateFiles(_ change: @escaping @Sendable (ResponseFiles) async -> Void) {
        guard let files else { return }
        lastWrite.withLock { last in
            last = Task { [last] in
                await last?.value
                await change(files)
            }
        }
    }
}

extension ServiceError {
    /// Whether an earlier response is better than none: the server is unreachable, fails, or another server responds
    /// instead of it.
    fileprivate var permitsStale: Bool {
        switch reason {
        case .network(.failed), .network(.notSent), .network(.unaccepted): true
        default: isTransient
        }
    }
}

// MARK: - In memory

/// The most recently used responses, in memory.
private final class ResponseMemory: Sendable {
    private struct Entry {
        let response: CachedResponse
        var lastUse: UInt64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var bytes = 0
        var uses: UInt64 = 0

        mutating func remove(_ key: String) {
            guard let entry = entries.removeValue(forKey: key) else { return }
            bytes -= entry.response.byteCount
        }
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

    /// Stores the response, unless it uses a quarter of the limit or more.
    func store(_ response: CachedResponse) {
        state.withLock { state in
            state.remove(response.key)
            guard response.byteCount < byteLimit / 4 else { return }
            state.uses += 1
            state.entries[response.key] = Entry(response: response, lastUse: state.uses)
            state.bytes += response.byteCount
            guard state.bytes > byteLimit || state.entries.count > entryLimit else { return }
            // Removes more than necessary, so that the next responses need no search.
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
