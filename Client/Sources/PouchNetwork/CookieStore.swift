import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies that servers set, in memory, for a backend that identifies sessions with a cookie.
///
///     let pouch = Pouch(feed: url, network: NetworkOptions(cookies: CookieStore()))
///
/// A cookie is sent only to the origin that set it (scheme, host and port), to the paths that it names, and only over
/// https if it is `Secure`; its `Domain` does not add other hosts. Foundation parses the cookies; its
/// `HTTPCookieStorage` on Linux ignores `Secure`, `Max-Age` and the port.
public final class CookieStore: Sendable {
    private struct Cookie {
        let origin: Origin
        let name: String
        let value: String
        let path: String
        /// nil for a cookie that lasts until the store is deallocated.
        let expiresAt: Date?

        func replaces(_ other: Cookie) -> Bool {
            origin == other.origin && name == other.name && path == other.path
        }
    }

    /// The maximum size of a cookie in bytes, and the maximum number of cookies of an origin, as RFC 6265, section 6.1,
    /// proposes. The oldest cookies are removed first.
    private static let longest = 4096
    private static let maxPerOrigin = 50

    private let cookies = Mutex<[Cookie]>([])

    public init() {}

    /// Removes all cookies. Requests that were already sent are not affected: their responses may set cookies again.
    public func removeAll() {
        cookies.withLock { $0 = [] }
    }

    /// The value of `Cookie` for a request; nil without cookies.
    func header(for url: URL, now: Date) -> String? {
        let origin = Origin(url)
        let path = url.path(percentEncoded: true)
        let found = cookies.withLock { cookies in
            cookies.removeAll { $0.expiresAt.map { $0 <= now } ?? false }
            return cookies.filter { $0.origin == origin && Self.isPath(path, in: $0.path) }
        }
        guard !found.isEmpty else { return nil }
        // Longer paths first (RFC 6265, section 5.4); the sort is stable.
        return found.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { $0.name + "=" + $0.value }
            .joined(separator: "; ")
    }

    func store(_ headers: HeaderFields, from url: URL, now: Date) {
        // Parsed field by field, because a dictionary contains each name only once.
        for field in headers.all("Set-Cookie") {
            for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url) {
                store(cookie, from: url, now: now)
            }
        }
    }

    private func store(_ found: HTTPCookie, from url: URL, now: Date) {
        let origin = Origin(url)
        guard !found.isSecure || origin.scheme == "https", Self.isHost(origin.host, in: found.domain),
            found.name.utf8.count + found.value.utf8.count <= Self.longest,
            !(found.name + found.value).unicodeScalars.contains(where: { $0.value < 0x20 || $0 == ";" })
        else { return }
        let maximumAge = (found.properties?[.maximumAge]).flatMap { Double("\($0)") }
        let cookie = Cookie(
            origin: origin, name: found.name, value: found.value, path: found.path,
            expiresAt: maximumAge.map { now.addingTimeInterval($0) } ?? found.expiresDate)
        cookies.withLock { cookies in
            cookies.removeAll { cookie.replaces($0) }
            if let expiry = cookie.expiresAt, expiry <= now { return }
            if cookies.count(where: { $0.origin == origin }) >= Self.maxPerOrigin,
                let oldest = cookies.firstIndex(where: { $0.origin == origin })
            {
                cookies.remove(at: oldest)
            }
            cookies.append(cookie)
        }
    }

    /// Whether a cookie's domain includes the host (RFC 6265, section 5.1.3).
    private static func isHost(_ host: String, in domain: String) -> Bool {
        let domain = domain.lowercased().drop { $0 == "." }
        return host == domain || host.hasSuffix("." + domain)
    }

    /// Whether a cookie's path includes the path (RFC 6265, section 5.1.4).
    private static func isPath(_ path: String, in parent: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        return path == parent || path.hasPrefix(parent.hasSuffix("/") ? parent : parent + "/")
    }
}

extension CookieStore: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
