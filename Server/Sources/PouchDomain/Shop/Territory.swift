import PouchEntities

/// Some part of the world for which a shop has a rule of its own.
public struct Territory: Sendable, Equatable {
    /// ISO 3166-1 alpha-2; nil: everywhere.
    public let country: String?
    /// A state or province as addresses name it; case does not count.
    public let region: String?
    /// The beginning of a postal code; case and spaces do not count.
    public let postalCodePrefix: String?

    public init(country: String?, region: String? = nil, postalCodePrefix: String? = nil) {
        self.country = country
        self.region = region.map(Destination.plain)
        self.postalCodePrefix = postalCodePrefix.map(Destination.plain)
    }

    public static let everywhere = Territory(country: nil)

    /// How narrowly the territory describes a place: the longer beginning of the postal code comes first, then a region,
    /// then a country.
    ///
    /// - Returns: nil when the place is not in it, or too little of the place is known.
    func specificity(for place: Destination) -> Int? {
        if let country, country != place.country { return nil }
        if let region, region != place.region { return nil }
        if let postalCodePrefix, !(place.postalCode?.hasPrefix(postalCodePrefix) ?? false) { return nil }
        return 4 * (postalCodePrefix?.utf8.count ?? 0) + (region == nil ? 0 : 2) + (country == nil ? 0 : 1)
    }
}

extension Sequence {
    /// The element with the territory that describes a place most narrowly; among equals the first.
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
