import Foundation
import PouchJSON

/// A quoted fare for a trip with one option. The rider who requested it can use it for this trip until it expires.
public struct FareQuote: JSONModel, Codable, Hashable, Identifiable {
    public let id: String
    public let rideOptionID: String
    public let fare: Money
    public let distanceMetres: Int
    /// The seconds from pick-up to drop-off.
    public let etaSeconds: Int
    public let expiresAt: Date

    public init(id: String, rideOptionID: String, fare: Money, distanceMetres: Int, etaSeconds: Int, expiresAt: Date) {
        self.id = id
        self.rideOptionID = rideOptionID
        self.fare = fare
        self.distanceMetres = distanceMetres
        self.etaSeconds = etaSeconds
        self.expiresAt = expiresAt
    }

    public static let json = JSONObject(
        FareQuote.init, .field("id", \.id), .field("rideOptionID", \.rideOptionID), .field("fare", \.fare),
        .field("distanceMetres", \.distanceMetres), .field("etaSeconds", \.etaSeconds), .field("expiresAt", \.expiresAt)
    )
}

/// A ride option: a kind of animal that carries riders.
public struct RideOption: JSONModel, Codable, Hashable, Identifiable {
    /// The pictures of a button, as paths on the server.
    public struct Images: JSONModel, Hashable {
        public let normal: String
        public let selected: String

        public init(normal: String, selected: String) {
            self.normal = normal
            self.selected = selected
        }

        public static let json = JSONObject(
            RideOption.Images.init, .field("normal", \.normal), .field("selected", \.selected))
    }

    public let id: String
    public let name: String
    /// The maximum number of riders.
    public let capacity: Int
    public let maxWeightGrams: Int
    public let images: Images

    public init(id: String, name: String, capacity: Int, maxWeightGrams: Int, images: Images) {
        self.id = id
        self.name = name
        self.capacity = capacity
        self.maxWeightGrams = maxWeightGrams
        self.images = images
    }

    public static let json = JSONObject(
        RideOption.init, .field("id", \.id), .field("name", \.name), .field("capacity", \.capacity),
        .field("maxWeightGrams", \.maxWeightGrams), .field("images", \.images))
}

/// The two ends of a trip.
public struct RideWaypoints: JSONModel, Codable, Hashable {
    public let pickupLocation: GeoPoint
    public let dropoffLocation: GeoPoint

    public init(pickupLocation: GeoPoint, dropoffLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        self.dropoffLocation = dropoffLocation
    }

    public static let json = JSONObject(
        RideWaypoints.init, .field("pickupLocation", \.pickupLocation), .field("dropoffLocation", \.dropoffLocation))
}

/// A place that people know by name.
public struct NamedLocation: JSONModel, Codable, Hashable {
    public let name: String
    public let location: GeoPoint

    public init(name: String, location: GeoPoint) {
        self.name = name
        self.location = location
    }

    public static let json = JSONObject(NamedLocation.init, .field("name", \.name), .field("location", \.location))
}

extension Ride {
    /// `etaSeconds` in minutes for display, rounded up; at least one.
    public var etaMinutes: Int? { etaSeconds.map(wholeMinutes) }
}

extension FareQuote {
    /// `etaSeconds` in minutes for display, rounded up; at least one.
    public var etaMinutes: Int { wholeMinutes(etaSeconds) }
}

private func wholeMinutes(_ seconds: Int) -> Int { max(1, seconds / 60 + (seconds % 60 > 0 ? 1 : 0)) }
