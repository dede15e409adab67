import PouchDomain
import PouchEntities
import PouchTemplates

/// A delivery method to choose from.
struct DeliveryChoice: TemplateValues {
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
    var kangarooPlaces: [NamedLocation] { environment.courier?.places ?? [] }

    /// The name of a place that kangaroos deliver to; nil for any other location.
    func placeName(of location: GeoPoint) -> String? {
        kangarooPlaces.first { $0.location == location }?.name
    }

    /// The name of the place where a kangaroo hands over the order; nil for other delivery methods.
    func handoverPlace(of order: Order) -> String? {
        guard let shipping = order.shipping, shipping.methodId == ShippingMethod.courierId else { return nil }
        return shipping.address.location.flatMap(placeName)
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

extension Site {
    /// The countries that the shop ships to.
    func countries(_ visit: Visit) -> [(code: String, name: String)] {
        let territories = shop.shipping.flatMap { $0.regions.flatMap(\.territories) }
        let served = Set(territories.compactMap(\.country)).union([shop.country])
        guard !territories.contains(where: { $0.country == nil }) else { return visit.language.countries }
        return visit.language.countries.filter { served.contains($0.code) }
    }
}
