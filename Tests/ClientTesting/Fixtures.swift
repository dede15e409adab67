import Foundation
import PouchEntities
import PouchJSON
import PouchTesting

/// Values of the model for tests.
package enum Fixture {
    package static func session(
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
                accessTokenExpiresAt: Date.sample.addingTimeInterval(seconds),
                refreshToken: refresh,
                refreshTokenExpiresAt: Date.sample.addingTimeInterval(86_400)
            )
        )
    }

    package static func data(_ value: some JSONCodable) -> Data { (try? value.json()) ?? Data() }

    package static func euros(_ cents: Int64) -> Money { Money(cents, .eur) }

    package static func cart(
        id: String = "crt_1", version: Int = 1, total: Int64 = 1000, lines: [CartLine] = [], shipping: Shipping? = nil
    ) -> Cart {
        let zero = euros(0)
        return Cart(
            id: id, version: version, lines: lines, shipping: shipping,
            totals: Totals(items: euros(total), discount: zero, shipping: zero, tax: zero, total: euros(total)),
            changes: [], updatedAt: .sample)
    }

    /// An order without lines.
    package static func order(
        id: String = "ord_1", status: OrderStatus = .paid, shipping: Shipping? = nil, rideId: String? = nil,
        deliveryFailure: DeliveryFailure? = nil
    ) -> Order {
        .sample(
            id: id, status: status, cart: .sample(lines: [], shipping: shipping), rideId: rideId,
            deliveryFailure: deliveryFailure)
    }

    /// A product with one unit of one variant.
    package static func product(_ handle: String) -> Product {
        .sample(handle: handle, name: handle, price: 100, stock: 1)
    }

    /// A product with one variant, which has the SKU.
    package static func product(sku: String, price: Int64 = 1000, style: String? = nil) -> Product {
        .sample(sku: sku, name: sku, price: price, styleCode: style)
    }

    package static func line(_ sku: String, _ quantity: Int, price: Money = euros(1000)) -> CartLine {
        .sample(sku: sku, quantity: quantity, price: price.amount, available: 99)
    }
}

// MARK: People

/// A person whose access token is the owner, by which `TestShop` identifies them.
package enum Shopper {
    case guest
    case ada
    case bea

    package var owner: String {
        switch self {
        case .guest: "ses_guest"
        case .ada: "acc_ada"
        case .bea: "acc_bea"
        }
    }

    /// A session that does not expire at the time of any test.
    package var session: UserSession {
        switch self {
        case .guest: .sample(guest: owner)
        case .ada: .sample()
        case .bea: .sample(Profile.sample(id: owner, name: "Bea", email: "bea@example.org"))
        }
    }
}
