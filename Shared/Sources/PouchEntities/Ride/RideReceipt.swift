import Foundation

/// What a completed ride came to.
public struct RideReceipt: Codable, Sendable, Hashable {
    public let rideID: String
    /// As it was quoted.
    public let fare: Money
    public let distanceMetres: Int
    public let driverName: String
    public let pickedUpAt: Date
    public let completedAt: Date

    public init(
        rideID: String, fare: Money, distanceMetres: Int, driverName: String, pickedUpAt: Date, completedAt: Date
    ) {
        self.rideID = rideID
        self.fare = fare
        self.distanceMetres = distanceMetres
        self.driverName = driverName
        self.pickedUpAt = pickedUpAt
        self.completedAt = completedAt
    }
}
