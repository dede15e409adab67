import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// A cookie of the pages.
enum CookieName: String, Sendable {
    /// The access token of the session, which is the same as the API's.
    case access = "pouch_access"
    /// The refresh token, which is exchanged for a new one each time that the access token has expired.
    case refresh = "pouch_refresh"
    /// The token of forms.
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
    private let headers: [String]
    /// Cookies that the answer sets, and each as a header says it.
    private let changed = Mutex<[(name: CookieName, value: String, header: String)]>([])

    init(_ request: Request, isSecure: Bool) {
        self.isSecure = isSecure
        headers = request.headers[values: .cookie]
    }

    /// The first value of a name, which is that of the most specific path, as a browser sends it.
    private func received(_ name: CookieName) -> String? {
        let written = Self.written(name, isSecure: isSecure)
        return headers.lazy.compactMap { Self.value(of: written, in: $0) }.first
    }

    /// Every page asks for some of them, and tokens are long, so it skips the others with `memchr`.
    private static func value(of name: String, in header: String) -> String? {
        header.utf8.withContiguousStorageIfAvailable { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let end = memchr(start, CInt(UInt8(ascii: ";")), rest.count).map { UnsafeRawPointer($0) - start }
                let pair = rest[..<(end ?? rest.count)].drop { $0 == UInt8(ascii: " ") }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst((end ?? rest.count) + 1))
                guard pair.starts(with: name.utf8) else { continue }
                let value = pair.dropFirst(name.utf8.count)
                guard value.first == UInt8(ascii: "=") else { continue }
                return pair.count <= longestValue ? String(decoding: value.dropFirst(), as: UTF8.self) : nil
            }
            return nil
        } ?? nil
    }

    private static let prefix = "__Host-"

    private static func written(_ name: CookieName, isSecure: Bool) -> String {
        isSecure ? prefix + name.rawValue : name.rawValue
    }

    /// The value that was received, or was set since; nil for none.
    subscript(_ name: CookieName) -> String? {
        let changed = changed.withLock { $0.first { $0.name == name }?.value }
        let value = changed ?? received(name)
        return value?.isEmpty == false ? value : nil
    }

    /// - Parameters:
    ///   - value: of letters, digits and `-_.`; empty removes the cookie.
    ///   - seconds: the time for which the browser keeps it; nil until the browser ends.
    func set(_ name: CookieName, to value: String, for seconds: Int? = nil) {
        var header = Self.written(name, isSecure: isSecure) + "=" + value + "; Path=/; HttpOnly; SameSite=Lax"
        if isSecure { header += "; Secure" }
        if let seconds = value.isEmpty ? 0 : seconds { header += "; Max-Age=\(seconds)" }
        changed.withLock { [header] changed in
            changed.removeAll { $0.name == name }
            changed.append((name, value, header))
        }
    }

    func remove(_ name: CookieName) {
        if self[name] != nil { set(name, to: "") }
    }

    func write(to response: inout Response) {
        let changed = changed.withLock { $0 }
        for cookie in changed { response.headers.append(HTTPField(name: .setCookie, value: cookie.header)) }
    }
}
