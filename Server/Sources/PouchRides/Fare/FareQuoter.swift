import Foundation
import PouchDomain
import PouchEntities

/// Gives quotes, and takes them back. A quote is kept nowhere: its id says what was quoted and until when, with a code over
/// that, the owner and the trip, which only this shop's servers can make.
struct FareQuoter: Sendable {
    /// For how long a quote is honoured.
    static let lifetime: TimeInterval = 300

    private static let prefix = "quo_"

    let keyRing: KeyRing
    let digests: any Digests
    let currency: Currency

    /// What a quote is for.
    struct Trip {
        let ownerId: String
        let waypoints: RideWaypoints
        let species: Species
    }

    /// What was quoted.
    struct Terms: Equatable {
        let fare: Money
        let metres: Int
    }

    func id(_ terms: Terms, for trip: Trip, expiresAt: Date) -> String {
        let text = "\(Int64(expiresAt.timeIntervalSince1970 * 1_000)).\(terms.fare.amount).\(terms.metres)"
        let code = digests.hmacSHA256(bound(text, to: trip), key: secret(keyRing.current))
        return Self.prefix + text + "." + code.map { String(format: "%02x", $0) }.joined()
    }

    /// - Throws: `DomainError.quoteMismatch` for one that is not ours, or for another trip or owner; `.quoteExpired`.
    func terms(of id: String, for trip: Trip, at now: Date, in repositories: any Repositories) throws -> Terms {
        let parts = id.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard id.hasPrefix(Self.prefix), parts.count == 4, let expiry = Int64(parts[0]), let amount = Int64(parts[1]),
            let metres = Int(parts[2]), let code = Data(hexadecimal: parts[3])
        else { throw DomainError.quoteMismatch }
        let data = bound(parts[0..<3].joined(separator: "."), to: trip)
        let isOurs = { (keys: [SigningKey]) in
            keys.contains { digests.isHMACSHA256(code, of: data, key: secret($0)) }
        }
        // Another process may sign with a key that is not known here yet.
        guard try isOurs(keyRing.all) || isOurs(repositories.keys.keys()) else { throw DomainError.quoteMismatch }
        guard Double(expiry) / 1_000 > now.timeIntervalSince1970 else { throw DomainError.quoteExpired }
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

extension Data {
    /// - Returns: nil for what is not pairs of hexadecimal digits.
    fileprivate init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        self.init(stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }
}
