import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

/// A visitor's entries at checkout; empty on a GET.
struct CheckoutForm: Sendable {
    private let visit: Visit
    private let country: String
    private let places: [NamedLocation]

    init(_ visit: Visit) {
        self.visit = visit
        country = visit.site.shop.country
        places = visit.site.kangarooPlaces
    }

    private var isSent: Bool { visit.form != nil }

    /// The id of the chosen saved address; nil for a different address.
    var addressId: String? { chosen("shipping.addressId") }

    var methodId: String? { chosen("shipping.methodId") }

    /// The card that stays selected. After a declined card, the visitor chooses again.
    var card: String? {
        visit.failure?.problem.code == .paymentDeclined ? nil : chosen("paymentMethod.token")
    }

    /// The lines that the visitor saw; empty on a GET.
    var seen: SeenLines { SeenLines(visit.form ?? FormBody([])) }

    /// Whether the default card is preselected: on a GET, not after a POST.
    var choosesCard: Bool { !isSent }

    /// The place in the city where a kangaroo delivers the order.
    var place: NamedLocation? { chosen("shipping.place").flatMap { name in places.first { $0.name == name } } }

    var savesAddress: Bool { addressId == nil && visit.form?["saveAddress"] != nil }

    private func chosen(_ field: String) -> String? {
        let value = visit.typed(field)
        return value.isEmpty ? nil : value
    }

    // MARK: Addresses

    /// The address as entered or chosen so far, for prices while the form is incomplete; nil if there is none yet.
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

    /// The address for the API: a saved one, or the entered JSON, whose errors the API reports by field.
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

    /// Whether both addresses have the same recipient and house. Ignores the saved address's id and the other's place.
    func isSame(as other: Address) -> Bool {
        with(id: nil).with(location: nil) == other.with(id: nil).with(location: nil)
    }
}
