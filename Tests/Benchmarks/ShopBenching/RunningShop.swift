import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchServer
import PouchStorage

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

    /// Returns the total of a shopper's cart.
    public func total(of number: Int) async throws -> Money {
        let carts = services.carts
        return try await services.store.read {
            try carts.cart(Shoppers.session(number).principal, in: $0).cart.totals.total
        }
    }

    /// Returns the access token of a shopper.
    public func token(of number: Int) async throws -> String {
        try await services.accessTokens.issue(
            for: Shoppers.session(number), expiresAt: services.environment.time.now.addingTimeInterval(3_600))
    }

    // MARK: Requests

    /// Returns the text of a whole HTTP request of the API.
    public func request(
        _ method: String, _ path: String, by number: Int, _ body: some JSONCodable, headers: [String: String] = [:]
    ) async throws -> String {
        try Self.request(method, path, token: await token(of: number), body, headers: headers)
    }

    /// Returns the text of a whole HTTP request of the API.
    public static func request(
        _ method: String, _ path: String, token: String, _ body: some JSONCodable, headers: [String: String] = [:]
    ) throws -> String {
        text(
            "\(method) \(path)", String(decoding: try body.json(), as: UTF8.self),
            ["Authorization: Bearer \(token)", "Content-Type: application/json"] + headers.map { "\($0): \($1)" })
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
