import PouchEntities
import PouchWire

extension Contract {
    public static let addresses = Exchange<NoBody, Page<Address>>(.addresses)
    public static let addAddress = Exchange<AddressInput, Address>(
        .addAddress, status: 201, problems: [.limitReached])
    public static let updateAddress = Exchange<AddressPatch, Address>(.updateAddress)
    public static let deleteAddress = Exchange<NoBody, NoContent>(.deleteAddress, status: 204)

    static let addressBook: [any AnyExchange] = [addresses, addAddress, updateAddress, deleteAddress]
}

/// An address without an id, as clients send it. The body of `addAddress`, and part of other bodies.
public struct AddressInput: Codable, Sendable, Equatable, FieldsDescribed {
    public let name: String
    public let line1: String
    public let line2: String?
    public let city: String
    public let region: String?
    public let postalCode: String
    public let country: String
    public let phone: String?
    public let location: GeoPoint?

    public static let fieldFacts: [String: FieldFact] = [
        "name": .text, "line1": .text, "line2": .text, "city": .text, "region": .text, "postalCode": .text,
        "phone": .text, "country": .pattern("^[A-Z]{2}$"),
    ]

    public init(_ address: Address) {
        name = address.name
        line1 = address.line1
        line2 = address.line2
        city = address.city
        region = address.region
        postalCode = address.postalCode
        country = address.country
        phone = address.phone
        location = address.location
    }

    public func address(id: String? = nil) -> Address {
        Address(
            id: id, name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
            country: country, phone: phone, location: location)
    }
}

/// The body of `updateAddress`.
public struct AddressPatch: Codable, Sendable, Equatable, FieldsDescribed {
    @NonNull public var name: String?
    @NonNull public var line1: String?
    public var line2: FieldChange<String> = .keep
    @NonNull public var city: String?
    public var region: FieldChange<String> = .keep
    @NonNull public var postalCode: String?
    @NonNull public var country: String?
    public var phone: FieldChange<String> = .keep
    public var location: FieldChange<GeoPoint> = .keep

    public static let fieldFacts = AddressInput.fieldFacts

    public init() {}

    public func applied(to old: Address) -> Address {
        Address(
            id: old.id,
            name: name ?? old.name,
            line1: line1 ?? old.line1,
            line2: line2.applied(to: old.line2),
            city: city ?? old.city,
            region: region.applied(to: old.region),
            postalCode: postalCode ?? old.postalCode,
            country: country ?? old.country,
            phone: phone.applied(to: old.phone),
            location: location.applied(to: old.location)
        )
    }
}

extension GeoPoint: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "latitude": .range(-90.0...90.0), "longitude": .range(-180.0...180.0),
    ]
}
