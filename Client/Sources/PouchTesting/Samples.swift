import Foundation
import PouchEntities

// Values of the model with sensible defaults, for tests and previews.

extension Date {
    /// The time of all samples, on a whole second, so that it survives the milliseconds of JSON.
    public static let sample = Date(timeIntervalSince1970: 1_800_000_000)
}

// MARK: - Accounts

extension Profile {
    public static func sample(
        id: String = "acc_ada", name: String = "Ada", email: String = "ada@example.org"
    ) -> Profile {
        Profile(id: id, name: name, email: email)
    }
}

extension UserSession {
    /// A customer's session, whose access token is the account's id, which identifies the owner to a `TestShop`. It
    /// does not expire.
    public static func sample(_ profile: Profile = .sample(), kind: SessionKind = .customer) -> UserSession {
        UserSession(id: "ses_of_" + profile.id, kind: kind, profile: profile, remoteSession: .of(profile.id))
    }

    /// A guest's session. It does not expire.
    public static func sample(guest id: String) -> UserSession {
        UserSession(id: id, kind: .guest, profile: nil, remoteSession: .of(id))
    }
}

extension RemoteSession {
    /// The tokens of a session, which do not expire.
    static func of(_ token: String) -> RemoteSession {
        let never = Date.sample.addingTimeInterval(2_000_000_000)
        return RemoteSession(
            accessToken: token, accessTokenExpiresAt: never, refreshToken: "refresh " + token,
            refreshTokenExpiresAt: never)
    }
}

extension Address {
    public static func sample(id: String? = nil, name: String = "Ada", country: String = "AU") -> Address {
        Address(id: id, name: name, line1: "1 Main Rd", city: "Perth", postalCode: "6000", country: country)
    }
}

// MARK: - Carts and orders

extension ShippingMethod {
    /// The price is in minor units of the euro.
    public static func sample(id: String = "standard", price: Int64 = 5_00) -> ShippingMethod {
        ShippingMethod(id: id, name: id.capitalized, price: Money(price, .eur), estimate: "in 3 days")
    }
}

extension Totals {
    /// The sum of lines, less the discount, plus the shipping; without taxes.
    public static func sample(lines: [CartLine], discount: CartDiscount? = nil, shipping: Shipping? = nil) -> Totals {
        let currency = lines.first?.unitPrice.currency ?? .eur
        let items = lines.reduce(0) { $0 + $1.lineTotal.amount }
        let less = min(discount?.amount.amount ?? 0, items)
        let sent = shipping?.price.amount ?? 0
        return Totals(
            items: Money(items, currency), discount: Money(less, currency), shipping: Money(sent, currency),
            tax: .zero(currency), total: Money(items - less + sent, currency))
    }
}

extension CartLine {
    /// The price of a unit is in minor units of the euro.
    public static func sample(
        sku: String = "hat-1", quantity: Int = 1, price: Int64 = 10_00, available: Int = 9
    ) -> CartLine {
        CartLine(
            sku: sku, productHandle: sku, name: sku, image: nil, options: [:], quantity: quantity,
            unitPrice: Money(price, .eur), lineTotal: Money(price * Int64(quantity), .eur), discount: .zero(.eur),
            available: available)
    }
}

extension Cart {
    public static func sample(
        id: String = "crt_1", version: Int = 1, lines: [CartLine] = [.sample()], discount: CartDiscount? = nil,
        shipping: Shipping? = nil
    ) -> Cart {
        Cart(
            id: id, version: version, lines: lines, discount: discount, shipping: shipping,
            totals: .sample(lines: lines, discount: discount, shipping: shipping), changes: [], updatedAt: .sample)
    }
}

extension Order {
    /// An order of a cart.
    public static func sample(
        id: String = "ord_1", number: String = "P-1", status: OrderStatus = .paid, cart: Cart = .sample(),
        rideId: String? = nil, deliveryFailure: DeliveryFailure? = nil, email: String? = "ada@example.org"
    ) -> Order {
        Order(
            id: id, number: number, status: status,
            lines: cart.lines.map { line in
                OrderLine(
                    sku: line.sku, name: line.name, options: line.options, quantity: line.quantity,
                    unitPrice: line.unitPrice, lineTotal: line.lineTotal, discount: line.discount,
                    tax: .zero(line.unitPrice.currency), refundedQuantity: 0)
            },
            totals: cart.totals,
            payment: Payment(
                id: "pay_" + id, status: status == .pending ? .pending : .captured, amount: cart.totals.total,
                refunded: .zero(cart.totals.total.currency)),
            shipping: cart.shipping, rideId: rideId, deliveryFailure: deliveryFailure, email: email,
            createdAt: .sample, history: [Event(status: status, at: .sample)])
    }

    /// The order with another status, which is added to its history.
    public func with(status: OrderStatus) -> Order {
        var order = self
        order.status = status
        order.history.append(Event(status: status, at: .sample))
        return order
    }

    /// The order with another delivery, which costs no more than the one that failed.
    func delivered(by methodId: String, rideId: String?) -> Order {
        let method = deliveryFailure?.methods.first { $0.id == methodId }
        var order = self
        order.shipping = shipping.map { old in
            let isCheaper = method.map { $0.price.amount < old.price.amount } ?? false
            return Shipping(
                methodId: methodId, address: old.address, price: isCheaper ? method?.price ?? old.price : old.price)
        }
        (order.rideId, order.deliveryFailure) = (rideId, nil)
        return order
    }

    /// The cancelled and refunded order.
    func cancelled() -> Order {
        var order = with(status: .cancelled)
        order.payment = Payment(id: payment.id, status: .refunded, amount: payment.amount, refunded: payment.amount)
        return order
    }
}

// MARK: - Rides

extension NamedLocation {
    public static func sample(
        name: String = "Sydney Opera House", latitude: Double = -33.857, longitude: Double = 151.215
    ) -> NamedLocation {
        NamedLocation(name: name, location: GeoPoint(latitude: latitude, longitude: longitude))
    }
}

extension RideWaypoints {
    public static func sample() -> RideWaypoints {
        RideWaypoints(
            pickupLocation: GeoPoint(latitude: -33.861, longitude: 151.211),
            dropoffLocation: NamedLocation.sample().location)
    }
}

extension RideOption {
    public static func sample(id: String = "wallaby", name: String = "Wallaby") -> RideOption {
        RideOption(
            id: id, name: name, capacity: 1, maxWeightGrams: 25_000,
            images: Images(normal: "/assets/\(id).svg", selected: "/assets/\(id)-selected.svg"))
    }
}

extension FareQuote {
    /// The fare is in minor units of the euro.
    public static func sample(rideOptionID: String = "wallaby", fare: Int64 = 9_00) -> FareQuote {
        FareQuote(
            id: "quo_" + rideOptionID, rideOptionID: rideOptionID, fare: Money(fare, .eur), distanceMetres: 600,
            etaSeconds: 90, expiresAt: .sample.addingTimeInterval(300))
    }
}

extension Ride {
    /// A ride with all statuses up to this one in its history.
    public static func sample(
        _ status: RideStatus = .requested, id: String = "rid_1", waypoints: RideWaypoints = .sample(),
        rideOptionID: String = "wallaby"
    ) -> Ride {
        let requested = Ride(
            id: id, status: .requested, waypoints: waypoints, rideOptionID: rideOptionID, fare: Money(9_00, .eur),
            driver: nil, etaSeconds: nil, createdAt: .sample, history: [Event(status: .requested, at: .sample)])
        let way: [RideStatus] = [.accepted, .arriving, .inProgress, .completed]
        guard let end = way.firstIndex(of: status) else {
            return status == .requested ? requested : requested.next(status)
        }
        return way[...end].reduce(requested) { $0.next($1) }
    }

    /// The ride with its next status.
    public func next(_ status: RideStatus) -> Ride {
        let hasDriver = [.accepted, .arriving, .inProgress].contains(status)
        let event = Event(status: status, at: .sample.addingTimeInterval(TimeInterval(history.count)))
        return changed(status, hasDriver ? .sample() : nil, hasDriver ? 60 : nil, history + [event])
    }

    /// The ride with its driver at another latitude, in degrees.
    public func moved(to latitude: Double, etaSeconds: Int) -> Ride {
        changed(status, .sample(latitude: latitude), etaSeconds, history)
    }

    private func changed(_ status: RideStatus, _ driver: Driver?, _ etaSeconds: Int?, _ history: [Event]) -> Ride {
        Ride(
            id: id, status: status, waypoints: waypoints, rideOptionID: rideOptionID, fare: fare, driver: driver,
            etaSeconds: etaSeconds, createdAt: createdAt, history: history)
    }
}

extension Ride.Driver {
    public static func sample(latitude: Double = -33.87) -> Ride.Driver {
        Ride.Driver(name: "Skippy", rating: 4.9, location: GeoPoint(latitude: latitude, longitude: 151.2))
    }
}

extension RideReceipt {
    public static func sample(of ride: Ride) -> RideReceipt {
        RideReceipt(
            rideID: ride.id, fare: ride.fare, distanceMetres: 600, driverName: "Skippy", pickedUpAt: .sample,
            completedAt: .sample)
    }
}
