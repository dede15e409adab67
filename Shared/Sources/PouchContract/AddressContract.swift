import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let addresses = Exchange<PageQuery, Page<Address>>(
        "addresses", .get, "/v1/account/addresses", .customer,
        about: "Lists the account's saved addresses.")
    public static let addAddress = Exchange<AddressInput, Address>(
        "addAddress", .post, "/v1/account/addresses", .customer, status: 201, problems: [.limitReached],
        about: "Adds an address and returns it with its ID.")
    public static let updateAddress = Exchange<AddressPatch, Address>(
        "updateAddress", .patch, "/v1/account/addresses/{id}", .customer,
        about: "Updates the fields in the body; null clears a field.")
    public static let deleteAddress = Exchange<NoInput, NoContent>(
        "deleteAddress", .delete, "/v1/account/addresses/{id}", .customer, status: 204,
        about: "Deletes an address. Orders keep their own copies.")

    static let addressExchanges: [any AnyExchange] = [addresses, addAddress, updateAddress, deleteAddress]
}

/// An address without an id, as clients send it: the body of `addAddress`, and part of other bodies.
public struct AddressInput: Sendable, Equatable, FieldsDescribed {
    public let name: String
    public let line1: String
    public let line2: String?
    /// The city; nil or empty in countries that have none.
    public let city: String?
    public let region: String?
    /// The postal code; nil or empty in countries that have none.
    public let postalCode: String?
    public let country: String
    public let phone: String?
    public let location: GeoPoint?

    public static let fieldFacts: [String: FieldFact] = [
        "name": .text, "line1": .text, "line2": .text, "city": .optionalText, "region": .text,
        "postalCode": .optionalText,
        "phone": .text, "country": .pattern("^[A-Z]{2}$"),
    ]

    public func address(id: String? = nil) -> Address {
        Address(
            id: id, name: name, line1: line1, line2: line2, city: city ?? "", region: region,
            postalCode: postalCode ?? "", country: country, phone: phone, location: location)
    }
}

extension AddressInput: JSONModel {
    public static let json = JSONObject(
        AddressInput.init(name:line1:line2:city:region:postalCode:country:phone:location:), .field("name", \.name),
        .field("line1", \.line1), .field("line2", \.line2), .field("city", \.city), .field("region", \.region),
        .field("postalCode", \.postalCode), .field("country", \.country), .field("phone", \.phone),
        .field("location", \.location))

    /// The address without its id.
    public init(_ address: Address) {
        self.init(
            name: address.name, line1: address.line1, line2: address.line2, city: address.city,
            region: address.region, postalCode: address.postalCode, country: address.country, phone: address.phone,
            location: address.location)
    }
}

/// The body of `updateAddress`.
public struct AddressPatch: JSONModel, Equatable, FieldsDescribed {
    public var name: String?
    public var line1: String?
    public var line2: FieldChange<String> = .keep
    public var city: String?
    public var region: FieldChange<String> = .keep
    public var postalCode: String?
    public var country: String?
    public var phone: FieldChange<String> = .keep
    public var location: FieldChange<GeoPoint> = .keep

    /// The patch that changes nothing.
    public static let empty = AddressPatch(name: nil)

    public static let fieldFacts = AddressInput.fieldFacts

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

    public static let json = JSONObject(
        AddressPatch.init, .nonNull("name", \.name), .nonNull("line1", \.line1), .field("line2", \.line2),
        .nonNull("city", \.city), .field("region", \.region), .nonNull("postalCode", \.postalCode),
        .nonNull("country", \.country), .field("phone", \.phone), .field("location", \.location))
}

extension GeoPoint: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "latitude": .range(-90.0...90.0), "longitude": .range(-180.0...180.0),
    ]
}
