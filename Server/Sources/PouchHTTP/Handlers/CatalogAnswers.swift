import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchJSON
import Synchronization

/// The encoded catalogue answers by request URI: JSON, or pages of the shop.
///
/// Encoding dominates the cost of a read, so an answer is encoded once for all concurrent requests, and kept until its
/// source data changes: a sale removes the pages that show the product, and those that filter by stock if the product
/// came into stock or sold out. A new signing key invalidates all answers, since it signs the cursors in them.
package final class CatalogAnswers<Answer: CatalogAnswer>: Sendable {
    private static var longestKey: Int { 512 }

    private let catalog: CatalogFollower
    private let keys: KeyRing
    private let state: Mutex<State>
    private let counts: AnswerCounts

    private struct State {
        var cache: AnswerCache<Answer>
        /// The requests that wait for an answer that another request is encoding. Each learns whether there is one.
        var waiting: [String: [CheckedContinuation<Bool, Never>]] = [:]
    }

    /// - Parameter capacity: the maximum memory of all answers, in bytes.
    package init(
        catalog: CatalogFollower, keys: KeyRing, capacity: Int = 64 << 20,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance
    ) {
        self.catalog = catalog
        self.keys = keys
        counts = AnswerCounts(metrics)
        state = Mutex(State(cache: AnswerCache(capacity: capacity)))
    }

    /// The answer that can be sent right now; nil if it has to be encoded, or if the catalogue has to be checked first.
    /// Never waits.
    func ready(_ uri: String) -> Answer? {
        guard uri.utf8.count <= Self.longestKey, let snapshot = catalog.ready else { return nil }
        let keyId = keys.current.id
        return state.withLock { $0.cache.find(uri, for: snapshot, signedBy: keyId) }
    }

    /// Counts an answer that was sent right after `ready`.
    func noteReady() { counts.lane.increment() }

    /// - Parameters:
    ///   - uri: identifies the answer; one for each form of the answer.
    ///   - encode: encodes the answer from the snapshot; errors are not stored.
    package func answer(to uri: String, encode: (CatalogReading) throws -> Answer) async throws -> Answer {
        var isShared = uri.utf8.count <= Self.longestKey
        while true {
            let snapshot = try await catalog.current()
            guard isShared else {
                counts.encoded.increment()
                return try encode(CatalogReading(snapshot))
            }
            let keyId = keys.current.id
            let (stored, isMine) = state.withLock { state in
                if let stored = state.cache.find(uri, for: snapshot, signedBy: keyId) {
                    return (stored as Answer?, false)
                }
                guard state.waiting[uri] == nil else { return (nil, false) }
                state.waiting[uri] = []
                return (nil, true)
            }
            if let stored {
                counts.cache.increment()
                return stored
            }
            if isMine { return try share(uri, CatalogReading(snapshot), signedBy: keyId, encode) }
            // An error is not shared: each request gets its own.
            isShared = await isEncoded(uri)
        }
    }

    /// Encodes the answer, stores it, and wakes all requests that wait for it.
    private func share(
        _ uri: String, _ reading: CatalogReading, signedBy keyId: String, _ encode: (CatalogReading) throws -> Answer
    ) throws -> Answer {
        let result = Result { try encode(reading) }
        counts.encoded.increment()
        // Answers that leave the cache are freed after the lock, when this returns.
        let (waiting, dropped, bytes) = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: uri) ?? []
            guard case .success(let answer) = result else { return (waiting, [], state.cache.bytes) }
            let dropped = state.cache.store(answer, for: uri, madeFrom: reading, signedBy: keyId)
            return (waiting, dropped, state.cache.bytes)
        }
        counts.bytes.set(bytes)
        withExtendedLifetime(dropped) {
            for reader in waiting { reader.resume(returning: (try? result.get()) != nil) }
        }
        return try result.get()
    }

    /// Waits for the answer that another request encodes.
    private func isEncoded(_ uri: String) async -> Bool {
        await withCheckedContinuation { reader in
            let isOver = state.withLock { state in
                state.waiting[uri]?.append(reader)
                return state.waiting[uri] == nil
            }
            if isOver { reader.resume(returning: true) }
        }
    }
}

extension CatalogAnswers<PublicAnswer> {
    func response(to request: Request, encode: (CatalogReading) throws -> PublicAnswer) async throws -> Response {
        try await answer(to: request.uri.string, encode: encode).response(to: request)
    }
}

/// An answer that depends on the catalogue alone, so that it can be kept until the catalogue changes.
package protocol CatalogAnswer: Sendable {
    /// The memory of its body, in bytes.
    var bodyBytes: Int { get }
}

/// The counters of answers by source, and the cache's memory.
private struct AnswerCounts {
    let (lane, cache, encoded): (Counter, Counter, Counter)
    let bytes: Meter

    init(_ metrics: any MetricsFactory) {
        func answers(_ source: String) -> Counter {
            Counter(label: "pouch_catalog_answers_total", dimensions: [("source", source)], factory: metrics)
        }
        (lane, cache, encoded) = (answers("lane"), answers("cache"), answers("encoded"))
        bytes = Meter(label: "pouch_catalog_cache_bytes", factory: metrics)
    }
}

/// Answers by URI within a memory limit; the least recently used ones make room for others.
struct AnswerCache<Answer: CatalogAnswer> {
    /// A high estimate of an entry's memory for headers, ETag and dictionary.
    private static var entryBytes: Int { 2 << 10 }

    private struct Entry {
        let uri: String
        var answer: Answer
        var footprint: CatalogFootprint
        /// The latest snapshot known to give this answer.
        var serial: Int
        /// The key that signed the cursors in the answer.
        let keyId: String
        var bytes: Int
        /// The neighbours in the order of use.
        var newer: Int?
        var older: Int?
    }

    private let capacity: Int
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var places: [String: Int] = [:]
    private var newest: Int?
    private var oldest: Int?
    private(set) var bytes = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { places.count }

    /// The stored answer, if it matches the snapshot and the key.
    mutating func find(_ uri: String, for snapshot: CatalogSnapshot, signedBy keyId: String) -> Answer? {
        guard let place = places[uri], let serial = entries[place]?.serial, entries[place]?.keyId == keyId else {
            return nil
        }
        if serial < snapshot.serial {
            guard let footprint = entries[place]?.footprint, snapshot.isCurrent(footprint, since: serial) else {
                return nil
            }
            entries[place]?.serial = snapshot.serial
        }
        use(place)
        return entries[place]?.answer
    }

    /// Stores an answer, unless the stored one is of a later snapshot.
    ///
    /// - Returns: the removed answers, for the caller to free outside its lock.
    mutating func store(
        _ answer: Answer, for uri: String, madeFrom reading: CatalogReading, signedBy keyId: String
    ) -> [Answer] {
        let serial = reading.snapshot.serial
        var dropped: [Answer] = []
        if let place = places[uri] {
            guard let known = entries[place], known.serial <= serial else { return [] }
            if let answer = remove(place) { dropped.append(answer) }
        }
        let size =
            Self.entryBytes + uri.utf8.count + answer.bodyBytes
            + reading.footprint.products.count * MemoryLayout<Int32>.stride
        let place = free.popLast() ?? entries.count
        if place == entries.count { entries.append(nil) }
        entries[place] = Entry(
            uri: uri, answer: answer, footprint: reading.footprint, serial: serial, keyId: keyId, bytes: size)
        places[uri] = place
        bytes += size
        use(place)
        while bytes > capacity, let oldest, oldest != place, let answer = remove(oldest) { dropped.append(answer) }
        return dropped
    }

    /// Makes the entry the most recently used one.
    private mutating func use(_ place: Int) {
        guard newest != place else { return }
        detach(place)
        entries[place]?.older = newest
        if let newest { entries[newest]?.newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    /// Removes the entry from the order of use.
    private mutating func detach(_ place: Int) {
        guard let newer = entries[place].map(\.newer), let older = entries[place].map(\.older) else { return }
        if let newer { entries[newer]?.older = older }
        if let older { entries[older]?.newer = newer }
        if newest == place { newest = older }
        if oldest == place { oldest = newer }
        entries[place]?.newer = nil
        entries[place]?.older = nil
    }

    private mutating func remove(_ place: Int) -> Answer? {
        detach(place)
        guard let entry = entries[place] else { return nil }
        entries[place] = nil
        free.append(place)
        places[entry.uri] = nil
        bytes -= entry.bytes
        return entry.answer
    }
}

/// The bytes of a public answer, with its headers.
struct PublicAnswer: CatalogAnswer {
    /// Stock and prices are up to 2.75 s old when sent (`CatalogFollower`), unless the database cannot be read; 2 s
    /// more in caches stay within the contract's 5 s.
    private static let cacheControl = "public, max-age=1, stale-while-revalidate=1"

    let body: ByteBuffer
    var bodyBytes: Int { body.storageCapacity }
    let etag: String
    /// nil for an answer that the lane does not send.
    let meter: ReadyMeter?
    private let headers: HTTPFields
    private let notModifiedHeaders: HTTPFields
    /// The beginnings of both responses as `CatalogLane` sends them, up to the answer's own headers.
    let (head, notModifiedHead): (ByteBuffer, ByteBuffer)

    init(_ value: some JSONCodable, digests: any Digests, meter: ReadyMeter? = nil) throws {
        self.init(bytes: try value.json(), cacheControl: Self.cacheControl, digests: digests, meter: meter)
    }

    /// The ETag is a digest of the bytes, so it is the same in every process and changes exactly when the bytes do.
    init(bytes: Data, cacheControl: String, digests: any Digests, meter: ReadyMeter? = nil) {
        self.meter = meter
        body = ByteBuffer(bytes: bytes)
        etag = ETag.strong(digests.sha256(bytes))
        notModifiedHeaders = [.eTag: etag, .cacheControl: cacheControl]
        var headers = notModifiedHeaders
        headers[.contentType] = "application/json"
        headers[.contentLength] = String(body.readableBytes)
        self.headers = headers
        head = Self.head("200 OK", headers)
        notModifiedHead = Self.head("304 Not Modified", notModifiedHeaders)
    }

    private static func head(_ status: String, _ headers: HTTPFields) -> ByteBuffer {
        ByteBuffer(string: "HTTP/1.1 \(status)\r\n" + headers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined())
    }

    /// Whether a value of If-None-Match names this answer, so that the client needs no body.
    func isKnown(_ ifNoneMatch: String?) -> Bool {
        ifNoneMatch.map { ETag.matches($0, etag) } ?? false
    }

    func response(to request: Request) -> Response {
        if isKnown(request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: notModifiedHeaders)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
    }
}

/// RFC 9110 §13.1.
package enum ETag {
    package static func strong(_ digest: Data) -> String {
        "\"" + digest.prefix(12).base64URL + "\""
    }

    /// Whether a value of If-Match names the ETag, by strong comparison.
    static func isMatch(_ header: String, _ etag: String) -> Bool {
        header == "*" || header.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == etag }
    }

    /// Whether a value of If-None-Match names the ETag, by weak comparison.
    package static func matches(_ header: String, _ etag: String) -> Bool {
        if header == etag || header == "*" { return true }
        return header.split(separator: ",").contains { candidate in
            let candidate = candidate.trimmingCharacters(in: .whitespaces)
            return candidate == etag || candidate == "W/" + etag
        }
    }
}
