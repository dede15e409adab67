import Foundation
import PouchNetwork

/// What an answer allows a cache (RFC 9111, RFC 5861), as far as it matters to one client.
struct CacheControl {
    private(set) var mayBeStored = true
    /// Whether it must not be used, stale, when the server cannot be asked.
    private(set) var mustRevalidate = false
    /// Seconds from its arrival.
    private(set) var freshFor: TimeInterval = 0
    /// Seconds after that in which it may be used while the server is asked.
    private(set) var staleWhileRevalidate: TimeInterval = 0

    init(_ headers: HeaderFields) {
        let directives = headers.fields.filter { $0.name.lowercased() == "cache-control" }
            .flatMap { $0.value.split(separator: ",") }
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
            (freshFor, staleWhileRevalidate) = (0, 0)
        }
        // Another cache may have kept it for a while.
        freshFor = max(0, freshFor - (headers["Age"].flatMap { TimeInterval($0) } ?? 0))
        if headers["Vary"] == "*" || headers["Set-Cookie"] != nil { mayBeStored = false }
    }

    /// At most a year; 0 for what is no number.
    private static func seconds(_ parts: [String]) -> TimeInterval {
        guard let text = parts.dropFirst().first, let value = TimeInterval(text.trimmingCharacters(in: ["\""])) else {
            return 0
        }
        return min(max(0, value), 31_536_000)
    }
}
