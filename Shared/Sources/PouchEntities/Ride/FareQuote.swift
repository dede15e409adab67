import Foundation

/// What a trip costs with one option. Whoever asked may use it for this trip until it expires.
public struct FareQuote: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let rideOptionID: String
    public let fare: Money
    public let distanceMetres: Int
    /// From pick-up to drop-off.
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
}
