import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

/// Issues and verifies fare quotes. A quote is not stored: its id contains the terms, the expiry, and a code over
/// these, the owner and the trip, which only this shop's servers can create.
struct FareQuoter: Sendable {
    /// The validity of a quote, in seconds.
    static let lifetime: TimeInterval = 300

    private static let prefix = "quo_"

    let keyRing: KeyRing
    let digests: any Digests
    let currency: Currency

    /// The trip that a quote is for.
    struct Trip {
        let ownerId: String
        let waypoints: RideWaypoints
        let species: Species
    }

    /// The quoted fare and distance.
    struct Terms: Equatable {
        let fare: Money
        let metres: Int
    }

    func id(_ terms: Terms, for trip: Trip, expiresAt: Date) -> String {
        let text = "\(Int64(expiresAt.timeIntervalSince1970 * 1_000)).\(terms.fare.amount).\(terms.metres)"
        let code = digests.hmacSHA256(bound(text, to: trip), key: secret(keyRing.current))
        return Self.prefix + text + "." + ByteAlphabet.base16.text(code)
    }

    /// - Throws: `RideError.quoteMismatch` when the quote is not from this shop, or is for another trip or owner;
    ///   `.quoteExpired`.
    func terms(of id: String, for trip: Trip, at now: Date, in repositories: any Repositories) throws -> Terms {
        let parts = id.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard id.hasPrefix(Self.prefix), parts.count == 4, let expiry = Int64(parts[0]), let amount = Int64(parts[1]),
            let metres = Int(parts[2]), let code = ByteAlphabet.base16.bytes(parts[3].utf8)
        else { throw RideError.quoteMismatch }
        let data = bound(parts[0..<3].joined(separator: "."), to: trip)
        let isOurs = { (keys: [SigningKey]) in
            keys.contains { digests.isHMACSHA256(Data(code), of: data, key: secret($0)) }
        }
        // Another process may sign with a key that this one has not loaded yet.
        guard try isOurs(keyRing.all) || isOurs(repositories.keys.keys()) else { throw RideError.quoteMismatch }
        guard Double(expiry) / 1_000 > now.timeIntervalSince1970 else { throw RideError.quoteExpired }
        return Terms(fare: Money(amount, currency), metres: metres)
    }

    private func secret(_ key: SigningKey) -> Data { keyRing.derivedKey("fare quote", from: key) }

    private func bound(_ text: String, to trip: Trip) -> Data {
        let points = [trip.waypoints.pickupLocation, trip.waypoints.dropoffLocation]
        let parts =
            [text, currency.code, trip.ownerId, trip.species.rawValue]
            + points.flatMap { ["\($0.latitude)", "\($0.longitude)"] }
        return Data(parts.joined(separator: "\n").utf8)
    }
}

/// The price of a trip: a base price and a price per kilometre, higher for larger species.
struct RideTariff: Sendable {
    let currency: Currency

    func terms(_ species: Species, for waypoints: RideWaypoints) throws(MoneyError) -> FareQuoter.Terms {
        let metres = CityStreets.metres(from: waypoints.pickupLocation, to: waypoints.dropoffLocation)
        return FareQuoter.Terms(fare: try fare(species, metres: metres), metres: metres)
    }

    /// The fare, rounded up to minor units. A larger species always has a higher fare.
    ///
    /// - Parameter metres: the length of the street route, 0 or more.
    func fare(_ species: Species, metres: Int) throws(MoneyError) -> Money {
        let (base, perKilometre) = rates(species)
        let (way, isTooLong) = Int64(perKilometre).multipliedReportingOverflow(by: Int64(metres))
        let unit = (0..<currency.exponent).reduce(Int64(1)) { product, _ in product * 10 }
        let (amount, overflow) = (Int64(base) + way.dividedUp(by: 1_000)).multipliedReportingOverflow(by: unit)
        guard !isTooLong, !overflow else { throw .overflow }
        return Money(amount.dividedUp(by: 100), currency)
    }

    /// The rates in hundredths of a major unit. Bases are at least one major unit apart, so that they differ in every
    /// currency.
    private func rates(_ species: Species) -> (base: Int, perKilometre: Int) {
        switch species {
        case .wallaby: (250, 110)
        case .wallaroo: (350, 150)
        case .kangaroo: (500, 210)
        }
    }
}

extension Int64 {
    fileprivate func dividedUp(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
