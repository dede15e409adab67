import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// The name of a cookie that the pages use.
enum CookieName: String, Sendable {
    /// The access token of the session, as in the API.
    case access = "pouch_access"
    /// The refresh token, which is exchanged for a new one whenever the access token has expired.
    case refresh = "pouch_refresh"
    /// The token of forms.
    case form = "pouch_form"
    /// The number of units in the cart, for the header of pages that are the same for all visitors.
    case cart = "pouch_cart"
    /// The language that the visitor chose.
    case language = "pouch_language"
    /// The notice that the next page shows once; see `Notice`.
    case notice = "pouch_notice"
}

/// The cookies of a request, and those that its response sets. Scripts cannot read them, and browsers do not send them
/// with forms from other sites.
final class CookieJar: Sendable {
    /// The maximum length of a cookie that is read, in bytes; a token needs less than a quarter.
    private static let longestValue = 2_048

    /// Whether browsers may send the cookies only over TLS. Their names then start with `__Host-`, so no other host of
    /// the domain can set them.
    private let isSecure: Bool
    private let headers: [String]
    /// The cookies that the response sets, each with its header.
    private let changed = Mutex<[(name: CookieName, value: String, header: String)]>([])

    init(_ request: Request, isSecure: Bool) {
        self.isSecure = isSecure
        headers = request.headers[values: .cookie]
    }

    /// The first value of a cookie. Browsers send the cookie with the most specific path first.
    private func received(_ name: CookieName) -> String? {
        let written = Self.written(name, isSecure: isSecure)
        return headers.lazy.compactMap { Self.value(of: written, in: $0) }.first
    }

    /// The value of a cookie in a header. Every page reads cookies, and tokens are long, so this skips with `memchr`.
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

    /// The value that was last set, or else received; nil for none.
    subscript(_ name: CookieName) -> String? {
        let changed = changed.withLock { $0.first { $0.name == name }?.value }
        let value = changed ?? received(name)
        return value?.isEmpty == false ? value : nil
    }

    /// - Parameters:
    ///   - value: letters, digits and `-_.`; an empty value removes the cookie.
    ///   - seconds: how long the browser keeps the cookie; nil until the browser quits.
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
