import PouchEntities

/// As much of a place as taxes and shipping prices depend on.
public struct Destination: Sendable {
    public let country: String
    public let region: String?
    public let postalCode: String?
    public let location: GeoPoint?

    init(country: String, region: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil) {
        self.country = country.uppercased()
        self.region = region.map(Self.plain)
        self.postalCode = postalCode.map(Self.plain)
        self.location = location
    }

    init(_ address: Address) {
        self.init(
            country: address.country, region: address.region, postalCode: address.postalCode,
            location: address.location)
    }

    /// In capitals and without white space, as people write postal codes with and without.
    static func plain(_ text: String) -> String {
        text.uppercased().filter { !$0.isWhitespace }
    }
}
