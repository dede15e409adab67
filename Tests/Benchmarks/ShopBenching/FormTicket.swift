import Benchmarking
import PouchWire

/// The cookie of the forms of a browser, and the token that the forms bring back. Browsers of different visitors may have
/// the same.
public struct FormTicket: Sendable {
    /// Headers that a browser sends with a form.
    public static let headers = [
        ("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "same-origin"),
        ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"), ("Accept-Language", "en-GB,en;q=0.7,de;q=0.3"),
    ]

    private let seed: String
    private let token: String

    /// Asks for a page with a form, as a new visitor.
    public init(from url: String) async throws {
        let answer = try await Program.run("curl", ["-s", "-S", "-f", "-i", url])
        guard let seed = answer.firstMatch(of: #/pouch_form=(?<value>[^;\s]+)/#),
            let token = answer.firstMatch(of: #/name="csrf" value="(?<value>[^"]+)"/#)
        else { throw BenchError("\(url) has no form") }
        (self.seed, self.token) = (String(seed.value), String(token.value))
    }

    /// The cookies of a visitor.
    ///
    /// - Parameters:
    ///   - token: the access token of the visitor's session; nil without one.
    ///   - refreshToken: of the same session.
    ///   - units: in the cart.
    public func cookies(token: String?, refreshToken: String? = nil, units: Int = 0) -> String {
        let cookies = [
            ("pouch_access", token), ("pouch_refresh", refreshToken), ("pouch_form", seed),
            ("pouch_cart", units > 0 ? String(units) : nil),
        ]
        return cookies.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "; ")
    }

    /// The fields of a form with its token, as a browser sends them.
    public func encoded(_ fields: [(name: String, value: String)]) -> String {
        let all = [(name: "csrf", value: token)] + fields
        return QueryString(all.map { QueryString.Item(name: $0.name, value: $0.value) }).encoded
    }
}
