import PouchDomain
import PouchEntities
import PouchRides

/// A delivery method to choose from.
struct DeliveryChoice: PageValues {
    let id, name, estimate, price: String
    let isSelected: Bool
}

extension Site {
    /// The name of a delivery method: the merchant's, in one language, or the courier's.
    func deliveryName(_ id: String, _ visit: Visit) -> String {
        if id == ShippingMethod.courierId { return text("delivery-kangaroo", visit) }
        return shop.shipping.first { $0.id == id }?.name ?? id
    }

    func deliveryChoice(_ method: ShippingMethod, _ visit: Visit, isSelected: Bool) -> DeliveryChoice {
        let isCourier = method.id == ShippingMethod.courierId
        return DeliveryChoice(
            id: method.id, name: isCourier ? text("delivery-kangaroo", visit) : method.name,
            estimate: isCourier ? text("delivery-kangaroo-estimate", visit) : method.estimate,
            price: method.price.amount == 0 ? text("price-free", visit) : visit.language.price(method.price),
            isSelected: isSelected)
    }

    /// The places that kangaroos deliver to, sorted by name; empty if the shop does not offer it.
    var kangarooPlaces: [NamedLocation] {
        guard environment.courier != nil, let shop = shop.place else { return [] }
        return Gazetteer.sydney.filter { $0.location.distance(to: shop.location) <= DriverSearch.reach }
    }

    /// Whether kangaroos deliver anywhere in a country.
    func hasKangaroos(in country: String) -> Bool {
        do {
            return try environment.courier?.method(
                to: Destination(country: country), grams: 0, goods: .zero(shop.currency))
                != nil
        } catch DomainError.locationRequired {
            return true
        } catch {
            return false
        }
    }
}

extension GeoPoint {
    /// The name of a place that kangaroos deliver to; nil for any other location.
    var placeName: String? { Gazetteer.sydney.first { $0.location == self }?.name }
}

extension Order {
    /// The name of the place where a kangaroo hands over the order; nil for other delivery methods.
    var handoverPlace: String? {
        shipping.flatMap { $0.methodId == ShippingMethod.courierId ? $0.address.location?.placeName : nil }
    }
}

extension Site {
    /// The countries that the shop ships to.
    func countries(_ visit: Visit) -> [(code: String, name: String)] {
        let territories = shop.shipping.flatMap { $0.regions.flatMap(\.territories) }
        let served = Set(territories.compactMap(\.country)).union([shop.country])
        guard !territories.contains(where: { $0.country == nil }) else { return visit.language.countries }
        return visit.language.countries.filter { served.contains($0.code) }
    }
}
