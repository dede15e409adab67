import Benchmarking
import ServerTesting

/// Guests with filled carts, by number. The session of number 100000001 is `ses_100000001`.
public struct Shoppers: Sendable {
    public let name: String
    public let numbers: Range<Int>

    public func numbers(ofRound round: Int) -> Range<Int> {
        let first = numbers.lowerBound + round * BenchShop.shoppersPerRound
        return first..<first + BenchShop.shoppersPerRound
    }

    public static func ownerId(_ number: Int) -> String { "ses_\(number)" }

    public static func session(_ number: Int) -> SessionRecord {
        SessionRecord(id: ownerId(number), kind: .guest, accountId: nil, email: nil, createdAt: SystemTime().now)
    }
}

/// A running server of a `BenchShop`.
public struct RunningShop: Sendable {
    public let url: String
    public let services: ShopServices
    public let folder: URL

    public func total(of number: Int) async throws -> Money {
        let carts = services.carts
        return try await services.store.read {
            try carts.cart(Shoppers.session(number).principal, in: $0).cart.totals.total
        }
    }

    public func token(of number: Int) async throws -> String {
        try await services.accessTokens.issue(
            for: Shoppers.session(number), expiresAt: services.environment.time.now.addingTimeInterval(3_600))
    }

    /// Buys a shopper's cart without HTTP.
    public func checkout(_ number: Int, for total: Money) async throws {
        let principal = Shoppers.session(number).principal
        let answer = try await services.checkout.checkout(
            principal,
            terms: PaymentTerms(method: .card(token: "tok_ok"), expectedTotal: total, email: "ada@example.com"),
            ifMatch: nil,
            request: .init(
                ownerId: principal.ownerId, key: "key-\(number)", fingerprint: Data(repeating: 7, count: 32)))
        guard answer.code == 201 else { throw BenchError("a checkout failed: \(answer)") }
    }

    // MARK: Requests

    /// Returns the text of a whole HTTP request of the API.
    public static func request(
        _ method: String, _ path: String, token: String, _ body: some JSONCodable, headers: [String: String] = [:]
    ) throws -> String {
        text(
            "\(method) \(path)", String(decoding: try body.json(), as: UTF8.self),
            ["Authorization: Bearer \(token)", "Content-Type: application/json"] + headers.map { "\($0): \($1)" })
    }

    /// Returns the text of a whole HTTP request by which a guest buys the cart.
    public static func checkout(token: String, for total: Money, key: String) throws -> String {
        let body = CheckoutRequest(
            paymentMethod: .card(token: "tok_ok"), expectedTotal: total, email: "ada@example.com")
        return try request("POST", "/v1/cart/checkout", token: token, body, headers: [HeaderName.idempotencyKey: key])
    }

    /// Returns the text of a whole HTTP request by which a browser sends a form.
    public static func form(
        _ path: String, token: String, _ ticket: FormTicket, _ fields: [(name: String, value: String)]
    ) -> String {
        text(
            "POST \(path)", ticket.encoded(fields),
            ["Cookie: \(ticket.cookies(token: token))"] + FormTicket.headers.map { "\($0): \($1)" })
    }

    private static func text(_ line: String, _ body: String, _ headers: [String]) -> String {
        let lines = ["\(line) HTTP/1.1", "Host: 127.0.0.1"] + headers + ["Content-Length: \(body.utf8.count)"]
        return (lines + ["", body]).joined(separator: "\r\n")
    }
}

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
        let answer = try await Program.curl(url, ["-f", "-i"])
        guard let seed = answer.firstMatch(of: #/pouch_form=(?<value>[^;\s]+)/#),
            let token = answer.firstMatch(of: #/name="csrf" value="(?<value>[^"]+)"/#)
        else { throw BenchError("\(url) has no form") }
        (self.seed, self.token) = (String(seed.value), String(token.value))
    }

    /// The cookies of a visitor, with the tokens of the session, if there is one, and the units in the cart.
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
