import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

/// The server under measurement.
struct RunningShop: Sendable {
    let url: String
    let services: ShopServices
    let folder: URL

    /// What the cart of every shopper comes to.
    func total(of number: Int) async throws -> Money {
        let carts = services.carts
        return try await services.store.read {
            try carts.cart(Shoppers.session(number).principal, in: $0).cart.totals.total
        }
    }

    /// A whole request, as it goes over the connection.
    func request(
        _ method: String, _ path: String, by number: Int, _ body: some Encodable, headers: [String: String] = [:]
    ) async throws -> String {
        let token = try await services.accessTokens.issue(
            for: Shoppers.session(number), expiresAt: services.environment.time.now.addingTimeInterval(3_600))
        let body = String(decoding: try WireJSON.encode(body), as: UTF8.self)
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer \(token)"]
            + ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
            + headers.map { "\($0): \($1)" }
        return (lines + ["", body]).joined(separator: "\r\n")
    }
}
