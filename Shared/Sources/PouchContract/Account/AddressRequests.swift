import PouchEntities
import PouchWire

/// An address as a client sends it: without the id, which the server gives.
public struct AddressInput: Codable, Sendable, Equatable {
    public let name: String
    public let line1: String
    public let line2: String?
    public let city: String
    public let region: String?
    public let postalCode: String
    public let country: String
    public let phone: String?
    public let location: GeoPoint?

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

/// The body of `updateAddress`; what an address must have can be set but not cleared.
public struct AddressPatch: Codable, Sendable, Equatable {
    public var name: String?
    public var line1: String?
    public var line2: FieldChange<String> = .keep
    public var city: String?
    public var region: FieldChange<String> = .keep
    public var postalCode: String?
    public var country: String?
    public var phone: FieldChange<String> = .keep
    public var location: FieldChange<GeoPoint> = .keep

    public init() {}

    private enum CodingKeys: CodingKey {
        case name, line1, line2, city, region, postalCode, country, phone, location
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func required(_ key: CodingKeys) throws -> String? {
            container.contains(key) ? try container.decode(String.self, forKey: key) : nil
        }
        name = try required(.name)
        line1 = try required(.line1)
        line2 = try container.decodeChange(String.self, forKey: .line2)
        city = try required(.city)
        region = try container.decodeChange(String.self, forKey: .region)
        postalCode = try required(.postalCode)
        country = try required(.country)
        phone = try container.decodeChange(String.self, forKey: .phone)
        location = try container.decodeChange(GeoPoint.self, forKey: .location)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(line1, forKey: .line1)
        try container.encode(line2, forKey: .line2)
        try container.encodeIfPresent(city, forKey: .city)
        try container.encode(region, forKey: .region)
        try container.encodeIfPresent(postalCode, forKey: .postalCode)
        try container.encodeIfPresent(country, forKey: .country)
        try container.encode(phone, forKey: .phone)
        try container.encode(location, forKey: .location)
    }

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
