import Foundation
import PouchEntities
import PouchWire

/// Values of the model for tests.
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

    static func line(_ sku: String, _ quantity: Int, price: Money = euros(1000)) -> CartLine {
        CartLine(
            sku: sku, productHandle: sku, name: sku, image: nil, options: [:], quantity: quantity, unitPrice: price,
            lineTotal: Money(price.amount * Int64(quantity), price.currency), discount: euros(0), available: 99)
    }

    /// A product with one variant, which has the SKU.
    static func product(sku: String, price: Int64 = 1000) -> Product {
        Product(
            id: "prd_" + sku, handle: sku, name: sku, category: "hats", tags: [], price: euros(price), options: [],
            images: [], updatedAt: now, variants: [Variant(sku: sku, options: [:], price: euros(price), available: 9)])
    }
}

// MARK: Rides

extension Fixture {
    static let quay = GeoPoint(latitude: -33.861, longitude: 151.211)
    static let operaHouse = NamedLocation(
        name: "Sydney Opera House", location: GeoPoint(latitude: -33.857, longitude: 151.215))
    static let trip = RideWaypoints(pickupLocation: quay, dropoffLocation: operaHouse.location)
    static let wallaby = RideOption(
        id: "wallaby", name: "Wallaby", capacity: 1, maxWeightGrams: 25_000,
        images: .init(normal: "/assets/wallaby.svg", selected: "/assets/wallaby-selected.svg"))
    static let quote = FareQuote(
        id: "quo_1", rideOptionID: "wallaby", fare: euros(900), distanceMetres: 600, etaSeconds: 90,
        expiresAt: now.addingTimeInterval(300))

    static func driver(_ latitude: Double = -33.87) -> Ride.Driver {
        Ride.Driver(name: "Skippy", rating: 4.9, location: GeoPoint(latitude: latitude, longitude: 151.2))
    }

    /// A ride with all statuses up to this one in its history.
    static func ride(_ status: RideStatus, id: String = "rid_1") -> Ride {
        let requested = Ride(
            id: id, status: .requested, waypoints: trip, rideOptionID: "wallaby", fare: euros(900), driver: nil,
            etaSeconds: nil, createdAt: now, history: [.init(status: .requested, at: now)])
        let way: [RideStatus] = [.accepted, .arriving, .inProgress, .completed]
        guard let end = way.firstIndex(of: status) else {
            return status == .requested ? requested : requested.next(status)
        }
        return way[...end].reduce(requested) { $0.next($1) }
    }

    static func receipt(of ride: Ride) -> RideReceipt {
        RideReceipt(
            rideID: ride.id, fare: ride.fare, distanceMetres: 600, driverName: "Skippy", pickedUpAt: now,
            completedAt: now)
    }
}

extension Ride {
    /// The ride with the next status.
    func next(_ status: RideStatus) -> Ride {
        let hasDriver = [.accepted, .arriving, .inProgress].contains(status)
        let event = Event(status: status, at: Fixture.now.addingTimeInterval(TimeInterval(history.count)))
        return with(
            status, hasDriver ? Fixture.driver() : nil, hasDriver ? 60 : nil, history + [event])
    }

    /// The ride with its driver at another latitude.
    func moved(to latitude: Double, etaSeconds: Int) -> Ride {
        with(status, Fixture.driver(latitude), etaSeconds, history)
    }

    private func with(_ status: RideStatus, _ driver: Driver?, _ etaSeconds: Int?, _ history: [Event]) -> Ride {
        Ride(
            id: id, status: status, waypoints: waypoints, rideOptionID: rideOptionID, fare: fare, driver: driver,
            etaSeconds: etaSeconds, createdAt: createdAt, history: history)
    }
}

// MARK: People

/// A person whose access token is the owner, by which `StubShop` identifies them.
enum Shopper {
    case guest
    case ada
    case bea

    var owner: String {
        switch self {
        case .guest: "ses_guest"
        case .ada: "acc_ada"
        case .bea: "acc_bea"
        }
    }

    /// A session that does not expire at the time of any test.
    var session: UserSession {
        let forever: TimeInterval = 2_000_000_000
        return switch self {
        case .guest: Fixture.session(owner, expiresIn: forever, id: owner, account: nil)
        case .ada, .bea: Fixture.session(owner, expiresIn: forever, id: "ses_of_" + owner, account: owner)
        }
    }
}
