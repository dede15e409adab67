import HTTPTypes
import Hummingbird
import Synchronization

/// A cookie of the pages.
enum CookieName: String, Sendable, CaseIterable {
    /// The access token of the session, which is the same as the API's.
    case access = "pouch_access"
    /// The refresh token, which is exchanged for a new one each time that the access token has expired.
    case refresh = "pouch_refresh"
    /// A random text from which the tokens of forms are made.
    case form = "pouch_form"
    /// The number of units in the cart, for the header of pages that are the same for all visitors.
    case cart = "pouch_cart"
    /// The language that the visitor chose.
    case language = "pouch_language"
    /// The notice that the next page shows once; see `Notices`.
    case notice = "pouch_notice"
}

/// The cookies of one request, and those that its answer sets. Scripts cannot read them, and other sites cannot make a
/// browser send them with a form.
final class CookieJar: Sendable {
    /// The longest value that is read, in bytes; a token has less than a quarter.
    private static let longestValue = 2_048

    /// Whether browsers may send them over TLS only. Their names then begin with `__Host-`, so that no other host of the
    /// domain can set them.
    private let isSecure: Bool
    private let received: [(name: CookieName, value: String)]
    private let changed = Mutex<[CookieName: Cookie]>([:])

    init(_ request: Request, isSecure: Bool) {
        self.isSecure = isSecure
        var received: [(name: CookieName, value: String)] = []
        for header in request.headers[values: .cookie] {
            // Compared as bytes, since every page reads them.
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard pair.count <= Self.longestValue, let end = pair.firstIndex(of: UInt8(ascii: "=")),
                    let name = Self.name(pair[..<end], isSecure: isSecure),
                    // The first is of the most specific path, as a browser sends it.
                    !received.contains(where: { $0.name == name })
                else { continue }
                received.append((name, String(Substring(pair[pair.index(after: end)...]))))
            }
        }
        self.received = received
    }

    private static func name(_ written: Substring.UTF8View, isSecure: Bool) -> CookieName? {
        let prefix = isSecure ? Self.prefix.utf8.count : 0
        guard !isSecure || written.starts(with: Self.prefix.utf8) else { return nil }
        return CookieName.allCases.first { written.dropFirst(prefix).elementsEqual($0.rawValue.utf8) }
    }

    private static let prefix = "__Host-"

    private static func written(_ name: CookieName, isSecure: Bool) -> String {
        isSecure ? prefix + name.rawValue : name.rawValue
    }

    /// The value that was received, or was set since; nil for none.
    subscript(_ name: CookieName) -> String? {
        let cookie = changed.withLock { $0[name] }
        let value = cookie.map { $0.value } ?? received.first { $0.name == name }?.value
        return value?.isEmpty == false ? value : nil
    }

    /// - Parameters:
    ///   - value: of letters, digits and `-_.`; empty removes the cookie.
    ///   - seconds: the time for which the browser keeps it; nil until the browser ends.
    func set(_ name: CookieName, to value: String, for seconds: Int? = nil) {
        let cookie = Cookie(
            name: Self.written(name, isSecure: isSecure), value: value, maxAge: value.isEmpty ? 0 : seconds, path: "/",
            secure: isSecure, httpOnly: true, sameSite: .lax)
        changed.withLock { $0[name] = cookie }
    }

    func remove(_ name: CookieName) {
        if self[name] != nil { set(name, to: "") }
    }

    func write(to response: inout Response) {
        let changed = changed.withLock { $0 }
        guard !changed.isEmpty else { return }
        for (_, cookie) in changed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            response.setCookie(cookie)
        }
    }
}
