import PouchEntities

/// A part of the world with its own rules.
public struct Territory: Sendable, Equatable, Encodable {
    /// The ISO 3166-1 alpha-2 code; nil for everywhere.
    public let country: String?
    /// A state or province: its code if `Regions` knows it, otherwise its name in addresses, compared without case.
    public let region: String?
    /// The start of a postal code, compared without case and spaces.
    public let postalCodePrefix: String?

    public init(country: String?, region: String? = nil, postalCodePrefix: String? = nil) {
        self.country = country
        self.region = region.map { Destination.region($0, in: country ?? "") }
        self.postalCodePrefix = postalCodePrefix.map(Destination.plain)
    }

    public static let everywhere = Territory(country: nil)

    /// The rank of the territory for a destination: by the length of the postal code prefix, then by region, then by
    /// country. nil if the destination is not in it, or too little of the destination is known.
    func specificity(for place: Destination) -> Int? {
        if let country, country != place.country { return nil }
        if let region, region != place.region { return nil }
        if let postalCodePrefix, !(place.postalCode?.hasPrefix(postalCodePrefix) ?? false) { return nil }
        return 4 * (postalCodePrefix?.utf8.count ?? 0) + (region == nil ? 0 : 2) + (country == nil ? 0 : 1)
    }
}

extension Sequence {
    /// The element with the most specific territory for a destination; among equals, the first.
    func mostSpecific(for place: Destination, territories: (Element) -> [Territory]) -> Element? {
        var best: (element: Element, specificity: Int)?
        for element in self {
            for territory in territories(element) {
                guard let specificity = territory.specificity(for: place) else { continue }
                if specificity > best?.specificity ?? -1 { best = (element, specificity) }
            }
        }
        return best?.element
    }
}

/// The parts of an address that affect taxes and shipping prices.
public struct Destination: Sendable {
    public let country: String
    public let region: String?
    public let postalCode: String?
    public let location: GeoPoint?

    package init(country: String, region: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil) {
        self.country = country.uppercased()
        self.region = region.map { [country = self.country] in Self.region($0, in: country) }
        self.postalCode = postalCode.map(Self.plain)
        self.location = location
    }

    init(_ address: Address) {
        self.init(
            country: address.country, region: address.region, postalCode: address.postalCode,
            location: address.location)
    }

    static func region(_ text: String, in country: String) -> String {
        Regions.code(of: text, in: country) ?? plain(text)
    }

    /// The text in capitals and without white space, which people write or omit in postal codes.
    static func plain(_ text: String) -> String {
        text.uppercased().filter { !$0.isWhitespace }
    }
}
