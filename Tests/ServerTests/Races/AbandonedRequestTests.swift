import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Requests whose client goes away", .timeLimit(.minutes(2)))
struct AbandonedRequestTests {
    /// A purchase of one cap as it goes over the wire.
    private func request(_ caller: Caller, fromCart: Bool, card: String, key: String) throws -> String {
        let (endpoint, body) =
            fromCart
            ? (
                Contract.checkout.endpoint,
                try WireJSON.encode(
                    CheckoutRequest(
                        paymentMethod: .card(token: card), expectedTotal: Money(1490, .eur), email: "a@example.com"))
            )
            : (
                Contract.buyNow.endpoint,
                try WireJSON.encode(
                    BuyNowRequest(
                        lines: [LineRequest(sku: "cap", quantity: 1)], address: AddressInput(.sample),
                        methodId: "standard", paymentMethod: .card(token: card), expectedTotal: Money(1490, .eur),
                        email: "a@example.com"))
            )
        let token = try #require(caller.session?.remoteSession.accessToken)
        return """
            POST \(endpoint.template.path([:])) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(token)\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            \(HeaderName.idempotencyKey): \(key)\r
            \r
            \(String(decoding: body, as: UTF8.self))
            """
    }

    private func buyer(in shop: TestShop) async throws -> Caller {
        let guest = try await shop.guest()
        try await guest.add("cap").good()
        try await guest.ship().good()
        return guest
    }

    @Test(arguments: [true, false])
    func `A payment that has begun is brought to its end`(fromCart: Bool) async throws {
        try await TestShop.open([.stocked("cap", stock: 10)], setup: .live) { shop in
            let guest = try await buyer(in: shop)
            let connection = try RawConnection(port: #require(shop.client.port))
            try connection.send(try request(guest, fromCart: fromCart, card: "tok_slow", key: "k"))
            try await eventually { try await shop.rows("SELECT held FROM stock").first?.int(0) == 1 }
            try connection.close()
            try await eventually {
                try await guest.call(Contract.orders).good().items.map(\.status) == [.paid]
            }
            #expect(try await guest.cart().lines.count == (fromCart ? 0 : 1))
            try await shop.books(["cap": 10])
        }
    }

    @Test func `Whenever clients go away, each has bought or has not, and whoever asks again buys once`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let buyers = try await parallel(40) { _ in try await buyer(in: shop) }
            let cards = ["tok_ok", "tok_slow", "tok_declined", "tok_error"]
            try await shop.another(setup: .live) { live in
                let port = try #require(live.client.port)
                _ = try await parallel(40) { number in
                    let connection = try RawConnection(port: port)
                    let request = try request(
                        buyers[number], fromCart: number % 8 < 4, card: cards[number % 4], key: "k\(number)")
                    // Some go in the middle of their request, the others some time after it.
                    try connection.send(
                        String(request.prefix(number % 10 == 0 ? request.count / 2 : request.count)))
                    if number.isMultiple(of: 3) { _ = try await live.guest() }
                    try connection.close()
                }
            }
            // The server has ended, and with it all that it had begun.
            let bought = Set(try await shop.books(["cap": 100]).map(\.ownerId))
            for (number, buyer) in buyers.enumerated() {
                let orders = try await buyer.call(Contract.orders).good().items
                let cart = try await buyer.cart().lines.map(\.quantity)
                #expect(cart == (number % 8 < 4 && !orders.isEmpty ? [] : [1]))
                #expect(orders.isEmpty || number % 4 < 2)
            }
            let answers = try await parallel(40) { number in
                let (fromCart, card) = (number % 8 < 4, cards[number % 4])
                return try await patiently {
                    fromCart
                        ? try await buyers[number].checkout(
                            card, total: 1490, email: "a@example.com", key: "k\(number)")
                        : try await buyers[number].buyNow(card: card, email: "a@example.com", key: "k\(number)")
                }
            }
            #expect(
                answers.enumerated().allSatisfy { number, answer in answer.status == [201, 201, 402, 502][number % 4] })
            let orders = try await shop.books(["cap": 100])
            #expect(orders.count == 20 && Set(orders.map(\.ownerId)).count == 20)
            #expect(bought.isSubset(of: orders.map(\.ownerId)))
        }
    }
}
