import Foundation
import PouchNetwork
import Synchronization

/// Keeps answers that anybody may have, in memory and, where it has a folder, on disk, so that the server need not send
/// them again and they can be read while it is away.
///
/// Keys are whole URLs, so any number of services may share one. What bears a session never comes here.
public final class ResponseCache: Sendable {
    public struct Limits: Sendable {
        /// What was used longest ago goes when there is more. An answer of a quarter of this is not kept in memory.
        public var memoryBytes: Int
        /// An answer of a quarter of this is not kept at all.
        public var diskBytes: Int
        /// On disk, and in memory.
        public var entries: Int
        /// How old an answer may be that is used because the server cannot be asked.
        public var staleIfError: Duration

        public init(
            memoryBytes: Int = 4 << 20, diskBytes: Int = 64 << 20, entries: Int = 4_000,
            staleIfError: Duration = .seconds(30 * 86_400)
        ) {
            self.memoryBytes = memoryBytes
            self.diskBytes = diskBytes
            self.entries = entries
            self.staleIfError = staleIfError
        }
    }

    typealias Fetch = @Sendable (_ conditions: HeaderFields) async -> Result<ServiceAnswer, ServiceError>

    private let memory: ResponseMemory
    private let files: ResponseFiles?
    private let limits: Limits
    private let now: @Sendable () -> Date
    private let asking = SharedWork<String, Result<ServiceAnswer, ServiceError>>()
    private let lastWrite = Mutex<Task<Void, Never>?>(nil)

    /// The folder is of this cache alone, and is made when it is first needed; nil keeps answers in memory only.
    public init(folder: URL? = nil, limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() }) {
        memory = ResponseMemory(byteLimit: limits.memoryBytes, entryLimit: limits.entries)
        files = folder.map { ResponseFiles(folder: $0, byteLimit: limits.diskBytes, entryLimit: limits.entries) }
        self.limits = limits
        self.now = now
    }

    /// Returns when what was answered so far is on disk.
    public func flush() async {
        await lastWrite.withLock { $0 }?.value
    }

    /// The answer, from here or by asking the server; equal questions at the same time are asked once.
    func answer(to url: String, _ fetch: @escaping Fetch) async throws(ServiceError) -> ServiceAnswer {
        let known = await known(url)
        if let known, known.isFresh(at: now()) { return known.answer(isFromCache: true) }
        if let known, known.mayBeUsedWhileRevalidating(at: now()) {
            Task { await asking.value(for: url) { [self] in await ask(url, known, fetch) } }
            return known.answer(isFromCache: true)
        }
        guard let result = await asking.value(for: url, { [self] in await ask(url, known, fetch) }) else {
            throw ServiceError(.cancelled)
        }
        return try result.get()
    }

    /// The body of an answer that was given before, as a file; nil where there is none, or no folder.
    func file(of url: String) async -> URL? {
        await flush()
        return await files?.file(url)
    }

    private func known(_ url: String) async -> CachedResponse? {
        if let response = memory[url] { return response }
        guard let response = await files?.read(url) else { return nil }
        memory.keep(response)
        return response
    }

    private func ask(
        _ url: String, _ known: CachedResponse?, _ fetch: Fetch
    ) async -> Result<ServiceAnswer, ServiceError> {
        let asked = now()
        let result = await fetch(known?.conditions ?? [:])
        switch result {
        case .success(let answer) where answer.status == 304:
            guard let renewed = known?.renewed(by: answer.headers, askedAt: asked) else {
                // The next question has no condition, and so brings what holds.
                forget(url)
                return kept(known, insteadOf: ServiceError(.unreadable("304 for another answer"), status: 304))
            }
            keep(renewed)
            return .success(renewed.answer(isFromCache: false))
        case .success(let answer):
            if let response = CachedResponse(answer, for: url, askedAt: asked) { keep(response) } else { forget(url) }
            return result
        case .failure(let error):
            if error.status == 404 || error.status == 410 { forget(url) }
            return kept(known, insteadOf: error)
        }
    }

    private func kept(
        _ known: CachedResponse?, insteadOf error: ServiceError
    ) -> Result<ServiceAnswer, ServiceError> {
        let age = TimeInterval(limits.staleIfError.components.seconds)
        guard let known, error.permitsStale, known.mayBeUsedOnError(at: now(), notOlderThan: age) else {
            return .failure(error)
        }
        var answer = known.answer(isFromCache: true)
        answer.staleness = .init(asOf: known.storedAt, cause: error)
        return .success(answer)
    }

    private func keep(_ response: CachedResponse) {
        memory.keep(response)
        later { await $0.write(response) }
    }

    private func forget(_ url: String) {
        memory.remove(url)
        later { await $0.remove(url) }
    }

    /// In the order in which it was asked for; nobody who wants an answer waits for it.
    private func later(_ work: @escaping @Sendable (ResponseFiles) async -> Void) {
        guard let files else { return }
        lastWrite.withLock { last in
            last = Task { [last] in
                await last?.value
                await work(files)
            }
        }
    }
}

extension ServiceError {
    /// Whether an earlier answer is better than none: the server is away, fails, or something else answers in its place.
    fileprivate var permitsStale: Bool {
        switch reason {
        case .timedOut, .unreachable, .failed, .unreadable: true
        case .refused: status.map { $0 >= 500 || $0 == 429 } ?? false
        case .cancelled, .untrusted, .sessionEnded, .notSignedIn, .storage: false
        }
    }
}
