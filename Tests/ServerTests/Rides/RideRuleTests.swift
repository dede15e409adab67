import SeededRandom
import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("Ride status changes")
struct RideMachineTests {
    private static let allowed: Set<[RideStatus]> = [
        [.requested, .accepted], [.requested, .cancelledByRider], [.requested, .noDriversAvailable],
        [.accepted, .arriving], [.accepted, .cancelledByRider], [.accepted, .cancelledByDriver],
        [.arriving, .inProgress], [.arriving, .cancelledByRider], [.inProgress, .completed],
        [.cancelledByDriver, .requested],
    ]

    @Test(arguments: RideStatus.allCases)
    func `A ride goes from request to drop-off, is cancelled only before the pick-up, and other changes throw`(
        from: RideStatus
    ) throws {
        for to in RideStatus.allCases {
            var ride = RideRecord.sample([from])
            let before = ride
            let isAllowed = Self.allowed.contains([from, to])
            #expect(RideMachine.allows(from, to: to) == isAllowed, "\(from) to \(to)")
            if isAllowed {
                try ride.enter(to, at: .now)
                #expect(ride.status == to && ride.history.count == 2)
            } else {
                #expect(throws: IllegalRideTransition(from: from, to: to)) { try ride.enter(to, at: .now) }
                #expect(ride == before)
            }
        }
    }

    @Test func `The properties of a status match its possible changes`() {
        for status in RideStatus.allCases where status != .unrecognised {
            let mayFollow = RideMachine.transitions[status] ?? []
            #expect(status.isCancellable == mayFollow.contains(.cancelledByRider))
            if mayFollow.isEmpty { #expect(status.isFinal) }
            #expect(status.isFinal == (mayFollow.isEmpty || status == .cancelledByDriver))
        }
    }

    @Test func `A history never goes back in time when server clocks differ`() throws {
        var ride = RideRecord.sample([.requested])
        let time = Date(timeIntervalSince1970: 1_000)
        try ride.enter(.accepted, at: time)
        try ride.enter(.arriving, at: time.addingTimeInterval(-5))
        #expect(ride.history.map(\.at) == [.distantPast, time, time])
    }
}

@Suite("Kangaroo tempers")
struct TemperTests {
    /// The share of encounters in percent in which the condition holds.
    private func share(_ condition: (_ rideId: String, _ driverId: String) -> Bool) -> Double {
        Double((0..<10_000).count { condition("rid_\($0 / 100)", "drv_wallaby_\($0 % 100)") }) / 100
    }

    @Test(arguments: [(Temper.calm, 0.0), (.moody, 25), (.jumpy, 5)])
    func `Each temper refuses its share of rides`(temper: Temper, percent: Double) {
        let refused = share { !temper.accepts(rideId: $0, driverId: $1) }
        #expect(abs(refused - percent) <= percent * 0.2, "\(refused)")
    }

    @Test(arguments: [(Temper.calm, 0.0), (.moody, 5), (.jumpy, 20)])
    func `Each temper gives up its share of rides, evenly spread over the route`(temper: Temper, percent: Double) {
        var parts: [Double] = []
        let given = share { rideId, driverId in
            guard let part = temper.givesUp(rideId: rideId, driverId: driverId) else { return false }
            parts.append(part)
            return true
        }
        #expect(abs(given - percent) <= percent * 0.2, "\(given)")
        #expect(parts.allSatisfy { $0 > 0 && $0 < 1 })
        guard percent > 0 else { return }
        let mean: Double = parts.reduce(0, +) / Double(parts.count)
        #expect(abs(mean - 0.5) < 0.05)
        #expect(parts.min() ?? 1 < 0.05 && parts.max() ?? 0 > 0.95)
    }

    @Test(arguments: [Temper.moody, .jumpy])
    func `Decisions vary between rides and kangaroos`(temper: Temper) {
        #expect(Set((0..<200).map { temper.accepts(rideId: "rid_\($0)", driverId: "drv_1") }).count == 2)
        #expect(Set((0..<200).map { temper.accepts(rideId: "rid_1", driverId: "drv_\($0)") }).count == 2)
        // Giving up is independent of refusing.
        #expect(Set((0..<200).map { temper.givesUp(rideId: "rid_\($0)", driverId: "drv_1") == nil }).count == 2)
    }

    /// Processes of different builds have to agree.
    @Test func `Decisions are the same in every process`() {
        let accepted = (0..<40).map { Temper.moody.accepts(rideId: "rid_\($0)", driverId: "drv_1") ? "y" : "n" }
        #expect(accepted.joined() == "ynyyyynyynyynnnyyyynnnyynyyynyyyyyynynyy")
    }
}

@Suite("Ride fares")
struct RideTariffTests {
    private static let currencies = ["JPY", "EUR", "JOD"]

    private func fares(_ metres: Int, _ code: String) throws -> [Int64] {
        let tariff = RideTariff(currency: try #require(Currency(code: code)))
        return try Species.allCases.map { try tariff.fare($0, metres: metres).amount }
    }

    @Test(
        arguments: [
            (0, "EUR", [250, 350, 500]), (1_000, "EUR", [360, 500, 710]), (5_432, "EUR", [848, 1_165, 1_641]),
            (1, "EUR", [251, 351, 501]), (0, "JPY", [3, 4, 5]), (1_000, "JPY", [4, 5, 8]),
            (1_000, "JOD", [3_600, 5_000, 7_100]), (1, "JOD", [2_510, 3_510, 5_010]),
        ] as [(Int, String, [Int64])])
    func `A fare is a base price and one a kilometre, rounded up`(metres: Int, code: String, amounts: [Int64]) throws {
        #expect(try fares(metres, code) == amounts)
    }

    @Test(arguments: currencies)
    func `Larger species cost more on any trip, and longer trips never cost less`(code: String) throws {
        var random = SplitMix64(seed: 5)
        let lengths = (0...300).map { $0 * 7 } + (0..<2_000).map { _ in Int.random(in: 0...20_000_000, using: &random) }
        var last: [Int64] = [0, 0, 0]
        for metres in lengths.sorted() {
            let fares = try fares(metres, code)
            #expect(fares[0] < fares[1] && fares[1] < fares[2], "\(metres) m")
            #expect(zip(last, fares).allSatisfy { $0 <= $1 }, "\(metres) m")
            last = fares
        }
    }

    @Test(arguments: currencies)
    func `A trip around half the Earth has a fare, and overflow throws`(code: String) throws {
        let tariff = RideTariff(currency: try #require(Currency(code: code)))
        for species in Species.allCases {
            #expect(try tariff.fare(species, metres: 26_000_000).amount > 0)
            // Any distance gives an amount or an error, never a crash.
            for metres in [Int.max, .max / 110, .max / 210, .max / 1_000, .max / 100_000] {
                do { #expect(try tariff.fare(species, metres: metres).amount > 0) } catch MoneyError.overflow {}
            }
        }
    }
}
