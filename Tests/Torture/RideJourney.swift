import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchRides
import PouchWire
import SeededRandom

/// What one rider does: asks for a ride, with a quote or without, looks where it is until it has ended, or calls it off on
/// the way; and asks anew when nobody came. What changes anything is sent with a key until it is answered.
struct RideJourney: Sendable {
    let attempts: Attempts
    let record: Record
    let rider: BuyerSession
    var random: SplitMix64

    private struct Unexpected: Error { let text: String }

    /// A ride takes some seconds, and servers are away in between.
    private static let patience = Duration.seconds(150)
    private static let tries = 3

    /// Adds to the record what was promised, and what went wrong.
    mutating func run() async {
        do {
            for _ in 0..<Self.tries {
                let end = try await ride()
                await attempts.counts.add(outcome: end.rawValue)
                if end == .completed { break }
            }
        } catch {
            await record.report("a journey broke off: \(error)")
        }
        await attempts.counts.add(\.journeys)
    }

    /// - Returns: how it ended.
    private mutating func ride() async throws -> RideStatus {
        let waypoints = trip()
        let option = Species.allCases.randomElement(using: &random)?.rawValue ?? Species.wallaby.rawValue
        let quote = random.chance(50) ? try await quote(waypoints, option) : nil
        let asked: Ride = try await keyed(
            "/v1/rides", RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quote?.id), [201]
        ).value()
        guard quote == nil || quote?.fare == asked.fare else {
            throw Unexpected(text: "\(asked.id) costs another fare")
        }
        let looks = random.chance(25) ? Int.random(in: 0...8, using: &random) : Int.max
        let end = ContinuousClock.now + Self.patience
        for look in 0... {
            if look == looks {
                try await keyed("/v1/rides/\(asked.id)/cancel", nil as RideRequest?, [200], or: [.notCancellable])
            }
            let now: Ride = try await attempts.send("GET", "/v1/rides/\(asked.id)", as: rider, random: &random).value()
            if now.status.isFinal { return now.status }
            guard ContinuousClock.now < end else { break }
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...800, using: &random)))
        }
        throw Unexpected(text: "\(asked.id) does not come to its end")
    }

    private mutating func quote(_ waypoints: RideWaypoints, _ option: String) async throws -> FareQuote? {
        let body = try WireJSON.encode(QuoteRequest(waypoints: waypoints))
        return try await attempts.send("POST", "/v1/ride/quotes", body: body, as: rider, random: &random)
            .value(Page<FareQuote>.self).items.first { $0.rideOptionID == option }
    }

    /// Some kilometres, from anywhere in the middle of the city.
    private mutating func trip() -> RideWaypoints {
        let start = point(near: GeoPoint(latitude: -33.88, longitude: 151.19), within: 0.06)
        return RideWaypoints(pickupLocation: start, dropoffLocation: point(near: start, within: 0.03))
    }

    private mutating func point(near centre: GeoPoint, within degrees: Double) -> GeoPoint {
        GeoPoint(
            latitude: centre.latitude + Double.random(in: -degrees...degrees, using: &random),
            longitude: centre.longitude + Double.random(in: -degrees...degrees, using: &random))
    }

    /// Sends with a key of its own, and remembers an answer that is kept for it.
    @discardableResult
    private mutating func keyed(
        _ path: String, _ body: (some Encodable)?, _ statuses: Set<Int>, or codes: Set<ProblemCode> = []
    ) async throws -> Attempts.Answer {
        let key = "key-\(random.next())"
        let bytes = try body.map { try WireJSON.encode($0) }
        let answer = try await attempts.send("POST", path, body: bytes, as: rider, key: key, random: &random)
        guard statuses.contains(answer.status) || answer.code.map(codes.contains) == true else {
            throw Unexpected(text: "\(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        if statuses.contains(answer.status) {
            await record.add([
                Acknowledged(method: "POST", path: path, body: bytes, key: key, answer: answer, buyer: rider)
            ])
        }
        return answer
    }
}
