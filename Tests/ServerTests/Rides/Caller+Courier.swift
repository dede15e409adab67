import PouchContract
import PouchEntities
import PouchWire

extension Caller {
    /// Buys a cap that a kangaroo is to bring.
    func orderByKangaroo(
        to address: Address = .atBondi, card: String = "tok_ok", discount: String? = nil
    ) async throws -> Order {
        try await add("cap").good()
        if let discount { try await self.discount(discount).good() }
        try await ship("kangaroo", to: address).good()
        return try await checkout(card).good()
    }

    /// Chooses another way of delivery.
    func deliver(_ order: Order, by method: String, ifMatch: String? = nil) async throws -> Answered<Order> {
        try await call(
            Contract.changeDelivery, DeliveryRequest(methodId: method), path: ["id": order.id],
            headers: ifMatch.map { [HeaderName.ifMatch: $0] } ?? [:])
    }
}

extension GeoPoint {
    /// Where the standard shop is.
    static let shop = GeoPoint(latitude: -33.8861, longitude: 151.2111)
}

extension Address {
    static let atBondi = at(.bondi)

    static func at(_ location: GeoPoint) -> Address {
        Address(
            name: "Ada", line1: "Campbell Parade 1", city: "Bondi Beach", region: "NSW", postalCode: "2026",
            country: "AU", location: location)
    }
}
