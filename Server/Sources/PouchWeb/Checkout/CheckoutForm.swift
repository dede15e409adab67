import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

/// The entries of a visitor at the checkout; empty on a GET.
struct CheckoutForm: Sendable {
    private let visit: Visit
    private let country: String
    private let places: [NamedLocation]

    init(_ site: Site, _ visit: Visit) {
        self.visit = visit
        country = site.shop.country
        places = site.kangarooPlaces
    }

    private var isSent: Bool { visit.form != nil }

    /// The saved address that was chosen; nil for another one.
    var addressId: String? { chosen("shipping.addressId") }

    var methodId: String? { chosen("shipping.methodId") }

    /// The card that stays chosen. After a refused one the visitor chooses again.
    var card: String? {
        visit.failure?.problem.code == .paymentDeclined ? nil : chosen("paymentMethod.token")
    }

    /// The lines that the visitor saw; none on a GET.
    var seen: SeenLines { SeenLines(visit.form ?? FormBody([])) }

    /// Whether the usual card is chosen beforehand: on a GET, not after a POST.
    var choosesCard: Bool { !isSent }

    /// The place in the city to which a kangaroo brings the order.
    var place: NamedLocation? { chosen("shipping.place").flatMap { name in places.first { $0.name == name } } }

    var savesAddress: Bool { addressId == nil && visit.form?["saveAddress"] != nil }

    private func chosen(_ field: String) -> String? {
        let value = visit.typed(field)
        return value.isEmpty ? nil : value
    }

    // MARK: Addresses

    /// The address as far as it was typed or chosen, for prices before the visitor has finished; nil before that.
    func address(of saved: [Address]) -> Address? {
        guard isSent else { return nil }
        let address = saved.first { $0.id == addressId }?.with(id: nil) ?? typed
        return place.map { address.with(location: $0.location) } ?? address
    }

    private var typed: Address {
        func text(_ name: String) -> String { visit.typed("shipping.address.\(name)") }
        func optional(_ name: String) -> String? { chosen("shipping.address.\(name)") }
        return Address(
            name: text("name"), line1: text("line1"), line2: optional("line2"), city: text("city"),
            region: optional("region"), postalCode: text("postalCode"),
            country: optional("country") ?? country, phone: optional("phone"))
    }

    /// The address for the API: a saved one, or the JSON that was typed, whose mistakes the API names by its fields.
    func address(in json: JSON, of saved: [Address]) throws -> JSON {
        var address = json["shipping"]?["address"] ?? .object([:])
        if let found = saved.first(where: { $0.id == addressId }) {
            address = try JSON(json: AddressInput(found).json())
        }
        guard let location = place?.location else { return address }
        return address.merging([
            "location": ["latitude": .number(location.latitude), "longitude": .number(location.longitude)]
        ])
    }
}

extension Address {
    func with(location: GeoPoint?) -> Address {
        Address(
            id: id, name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
            country: country, phone: phone, location: location)
    }

    /// Whether both name the same recipient and house; the saved one has an id, and the other may have a place.
    func isSame(as other: Address) -> Bool {
        with(id: nil).with(location: nil) == other.with(id: nil).with(location: nil)
    }
}
