import Foundation
import PouchJSON

/// A postal address. It has an `id` in an account's address book.
public struct Address: JSONModel, Hashable {
    public var id: String?
    public let name: String
    public let line1: String
    public let line2: String?
    public let city: String
    public let region: String?
    public let postalCode: String
    /// The ISO 3166-1 alpha-2 code, such as `AU`.
    public let country: String
    public let phone: String?
    public let location: GeoPoint?

    public init(
        id: String? = nil, name: String, line1: String, line2: String? = nil, city: String, region: String? = nil,
        postalCode: String, country: String, phone: String? = nil, location: GeoPoint? = nil
    ) {
        self.id = id
        self.name = name
        self.line1 = line1
        self.line2 = line2
        self.city = city
        self.region = region
        self.postalCode = postalCode
        self.country = country
        self.phone = phone
        self.location = location
    }

    public static let json = JSONObject(
        Address.init, .field("id", \.id), .field("name", \.name), .field("line1", \.line1), .field("line2", \.line2),
        .field("city", \.city), .field("region", \.region), .field("postalCode", \.postalCode),
        .field("country", \.country), .field("phone", \.phone), .field("location", \.location))
}

/// A place on earth, in degrees (WGS 84).
public struct GeoPoint: JSONModel, Codable, Hashable {
    /// The latitude, -90...90.
    public let latitude: Double
    /// The longitude, -180...180.
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    public static let json = JSONObject(GeoPoint.init, .field("latitude", \.latitude), .field("longitude", \.longitude))
}

extension GeoPoint {
    /// The mean radius of WGS 84's ellipsoid (2a + b) / 3, in metres.
    private static let earthRadius = 6_371_008.8

    /// The length of the great circle between two points, in metres, by the haversine formula (R. W. Sinnott, "Virtues
    /// of the Haversine", Sky & Telescope 68, 1984), which is accurate for close points. It treats the earth as a
    /// sphere, with an error below 0.6 %.
    public func distance(to other: GeoPoint) -> Double {
        let latitudes = Self.haversine(other.latitude - latitude)
        let longitudes = Self.haversine(other.longitude - longitude)
        let parallels = cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180)
        // Rounding may exceed 1 for points on opposite sides of the earth.
        return 2 * Self.earthRadius * asin(min(1, sqrt(latitudes + parallels * longitudes)))
    }

    private static func haversine(_ degrees: Double) -> Double {
        let sine = sin(degrees * .pi / 360)
        return sine * sine
    }
}
