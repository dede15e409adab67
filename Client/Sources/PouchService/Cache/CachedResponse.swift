import Foundation
import PouchNetwork
import PouchWire

/// A response as a cache stores it.
struct CachedResponse: Sendable {
    /// The header fields that describe the response itself rather than the exchange.
    private static let storedFields = ["Content-Type", HeaderName.etag, "Last-Modified", "Cache-Control"]

    /// The URL.
    let key: String
    let headers: HeaderFields
    let data: Data
    /// The time at which the server sent the response or last confirmed it.
    let storedAt: Date
    private let control: CacheControl

    /// Returns nil for a response that must not be stored or could not be reused.
    init?(_ answer: ServiceAnswer, for key: String, requestedAt: Date) {
        let storedAt = requestedAt.addingTimeInterval(-CacheControl.age(answer.headers))
        self.init(key: key, headers: answer.headers, data: answer.data, storedAt: storedAt)
        guard answer.status == 200, control.mayBeStored, !conditions.fields.isEmpty || control.freshFor > 0 else {
            return nil
        }
    }

    init(key: String, headers: HeaderFields, data: Data, storedAt: Date) {
        self.key = key
        self.headers = HeaderFields(
            Self.storedFields.compactMap { name in headers[name].map { HeaderFields.Field(name: name, value: $0) } })
        self.data = data
        self.storedAt = storedAt
        control = CacheControl(headers)
    }

    /// - Parameter isFromCache: false if the server has just confirmed the response.
    func answer(isFromCache: Bool) -> ServiceAnswer {
        ServiceAnswer(status: 200, headers: headers, data: data, isFromCache: isFromCache)
    }

    /// The header fields of a request whose response is 304 while this response is current.
    var conditions: HeaderFields {
        if let etag = headers[HeaderName.etag] { return [HeaderName.ifNoneMatch: etag] }
        if let date = headers["Last-Modified"] { return ["If-Modified-Since": date] }
        return [:]
    }

    var byteCount: Int { data.count + key.utf8.count + 256 }

    func isFresh(at now: Date) -> Bool { isWithin(control.freshFor, of: now) }

    func mayBeUsedWhileRevalidating(at now: Date) -> Bool {
        isWithin(control.freshFor + control.staleWhileRevalidate, of: now)
    }

    /// - Parameter age: the limit in seconds.
    func mayBeUsedOnError(at now: Date, notOlderThan age: TimeInterval) -> Bool {
        !control.mustRevalidate && now.timeIntervalSince(storedAt) <= age
    }

    /// The same response after a 304 with these header fields; nil if they belong to another response.
    func confirmed(by headers: HeaderFields, requestedAt: Date) -> CachedResponse? {
        if let mine = self.headers[HeaderName.etag], let theirs = headers[HeaderName.etag],
            mine.withoutWeakness != theirs.withoutWeakness
        {
            return nil
        }
        var merged = self.headers
        for name in Self.storedFields {
            if let value = headers[name] { merged[name] = value }
        }
        let storedAt = requestedAt.addingTimeInterval(-CacheControl.age(headers))
        return CachedResponse(key: key, headers: merged, data: data, storedAt: storedAt)
    }

    /// If the clock was set back, all responses are stale instead of fresh for years.
    private func isWithin(_ seconds: TimeInterval, of now: Date) -> Bool {
        let age = now.timeIntervalSince(storedAt)
        return age >= 0 && age < seconds
    }
}

extension String {
    /// An ETag without its mark of weakness (RFC 9110, section 8.8.3). A proxy that compresses a response makes its
    /// ETag weak.
    fileprivate var withoutWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}

/// The caching rules of a response (RFC 9111, RFC 5861), as far as they matter to one client.
private struct CacheControl {
    private(set) var mayBeStored = true
    /// Whether a stale response must not be used while the server is unreachable.
    private(set) var mustRevalidate = false
    /// Seconds from the arrival of the response.
    private(set) var freshFor: TimeInterval = 0
    /// Seconds after that in which the response may be used while a newer one is requested.
    private(set) var staleWhileRevalidate: TimeInterval = 0

    init(_ headers: HeaderFields) {
        let directives = headers.all("Cache-Control").flatMap { $0.split(separator: ",") }
        for directive in directives {
            let parts = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            switch parts.first?.lowercased() {
            case "no-store", "private": mayBeStored = false
            case "no-cache", "must-revalidate": mustRevalidate = true
            case "max-age": freshFor = Self.seconds(parts)
            case "stale-while-revalidate": staleWhileRevalidate = Self.seconds(parts)
            default: break
            }
        }
        if directives.contains(where: { $0.trimmingCharacters(in: .whitespaces).lowercased().hasPrefix("no-cache") }) {
            freshFor = 0
        }
        if mustRevalidate { staleWhileRevalidate = 0 }
        if headers["Vary"] == "*" || headers["Set-Cookie"] != nil { mayBeStored = false }
    }

    /// The time that the response spent in other caches, in seconds.
    static func age(_ headers: HeaderFields) -> TimeInterval { headers["Age"].map(seconds) ?? 0 }

    private static func seconds(_ parts: [String]) -> TimeInterval {
        parts.dropFirst().first.map { seconds($0.trimmingCharacters(in: ["\""])) } ?? 0
    }

    /// At most a year; 0 if the text is not a number.
    private static func seconds(_ text: String) -> TimeInterval {
        TimeInterval(min(max(0, Int(text) ?? 0), 31_536_000))
    }
}
