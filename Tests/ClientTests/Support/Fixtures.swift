import Foundation
import PouchEntities
import PouchWire

/// Values of the model for the tests to hand around.
enum Fixture {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func session(
        _ access: String = "access-1",
        refresh: String = "refresh-1",
        expiresIn seconds: TimeInterval = 900,
        id: String = "ses_1",
        account: String? = "acc_1"
    ) -> UserSession {
        UserSession(
            id: id,
            kind: account == nil ? .guest : .customer,
            profile: account.map { Profile(id: $0, name: "Ada", email: "ada@example.org") },
            remoteSession: RemoteSession(
                accessToken: access,
                accessTokenExpiresAt: now.addingTimeInterval(seconds),
                refreshToken: refresh,
                refreshTokenExpiresAt: now.addingTimeInterval(86_400)
            )
        )
    }

    static func data(_ value: some Encodable) -> Data {
        (try? WireJSON.encode(value)) ?? Data()
    }

    static func euros(_ cents: Int64) -> Money { Money(cents, .eur) }

    static func cart(
        id: String = "crt_1", version: Int = 1, total: Int64 = 1000, lines: [CartLine] = [], shipping: Shipping? = nil
    ) -> Cart {
        let zero = euros(0)
        return Cart(
            id: id, version: version, lines: lines, shipping: shipping,
            totals: Totals(items: euros(total), discount: zero, shipping: zero, tax: zero, total: euros(total)),
            changes: [], updatedAt: now)
    }

    static func order(
        id: String = "ord_1", status: OrderStatus = .paid, shipping: Shipping? = nil, rideId: String? = nil,
        deliveryFailure: DeliveryFailure? = nil
    ) -> Order {
        let zero = euros(0)
        return Order(
            id: id, number: "P-1", status: status, lines: [],
            totals: Totals(items: zero, discount: zero, shipping: zero, tax: zero, total: zero),
            payment: Payment(id: "pay_1", status: .captured, amount: zero, refunded: zero), shipping: shipping,
            rideId: rideId, deliveryFailure: deliveryFailure, email: "ada@example.org", createdAt: now, history: [])
    }

    static func product(_ handle: String) -> Product {
        Product(
            id: "prd_" + handle, handle: handle, name: handle, category: "hats", tags: [], price: euros(100),
            options: [], images: [], updatedAt: now,
            variants: [Variant(sku: handle + "-1", options: [:], price: euros(100), available: 1)])
    }
}

extension Fixture {
    static func line(_ sku: String, _ quantity: Int, price: Money = euros(1000)) -> CartLine {
        CartLine(
            sku: sku, productHandle: sku, name: sku, image: nil, options: [:], quantity: quantity, unitPrice: price,
            lineTotal: Money(price.amount * Int64(quantity), price.currency), discount: euros(0), available: 99)
    }

    /// A product of one variant that has the SKU.
    static func product(sku: String, price: Int64 = 1000) -> Product {
        Product(
            id: "prd_" + sku, handle: sku, name: sku, category: "hats", tags: [], price: euros(price), options: [],
            images: [], updatedAt: now, variants: [Variant(sku: sku, options: [:], price: euros(price), available: 9)])
    }
}
