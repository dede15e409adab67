import Foundation
import PouchNetwork
import PouchWire

/// An answer as a cache keeps it.
struct CachedResponse: Sendable {
    /// Those header fields that say something of the answer itself, and not of the request that brought it.
    private static let keptFields = ["Content-Type", HeaderName.etag, "Last-Modified", "Cache-Control"]

    /// The URL.
    let key: String
    let headers: HeaderFields
    let data: Data
    /// When the server gave it, or last said that it still holds.
    let storedAt: Date
    private let control: CacheControl

    /// - Returns: nil for an answer that must not be kept, or that could not be used again.
    init?(_ answer: ServiceAnswer, for key: String, at storedAt: Date) {
        self.init(key: key, headers: answer.headers, data: answer.data, storedAt: storedAt)
        guard answer.status == 200, control.mayBeStored, !conditions.fields.isEmpty || control.freshFor > 0 else {
            return nil
        }
    }

    init(key: String, headers: HeaderFields, data: Data, storedAt: Date) {
        self.key = key
        self.headers = HeaderFields(
            Self.keptFields.compactMap { name in headers[name].map { HeaderFields.Field(name: name, value: $0) } })
        self.data = data
        self.storedAt = storedAt
        control = CacheControl(headers)
    }

    var answer: ServiceAnswer { ServiceAnswer(status: 200, headers: headers, data: data) }

    /// What a request says so that the answer is 304 while this one holds.
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

    /// - Parameter age: how old it may be at most, in seconds.
    func mayBeUsedOnError(at now: Date, notOlderThan age: TimeInterval) -> Bool {
        !control.mustRevalidate && now.timeIntervalSince(storedAt) <= age
    }

    /// The same, after a 304 with these header fields.
    func renewed(by headers: HeaderFields, at now: Date) -> CachedResponse {
        var merged = self.headers
        for name in Self.keptFields {
            if let value = headers[name] { merged[name] = value }
        }
        return CachedResponse(key: key, headers: merged, data: data, storedAt: now)
    }

    /// A clock that was set back makes everything stale, and not fresh for years.
    private func isWithin(_ seconds: TimeInterval, of now: Date) -> Bool {
        let age = now.timeIntervalSince(storedAt)
        return age >= 0 && age < seconds
    }
}
