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

    /// How long another cache has kept an answer, in seconds.
    static func age(_ headers: HeaderFields) -> TimeInterval { headers["Age"].map(seconds) ?? 0 }

    private static func seconds(_ parts: [String]) -> TimeInterval {
        parts.dropFirst().first.map { seconds($0.trimmingCharacters(in: ["\""])) } ?? 0
    }

    /// At most a year; 0 for what is no number.
    private static func seconds(_ text: String) -> TimeInterval {
        TimeInterval(min(max(0, Int(text) ?? 0), 31_536_000))
    }
}
