import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("Tempers of kangaroos")
struct TemperTests {
    /// Per cent of many encounters in which that is so.
    private func share(_ isSo: (_ rideId: String, _ driverId: String) -> Bool) -> Double {
        var count = 0
        for ride in 0..<100 {
            for driver in 0..<100 where isSo("rid_\(ride)", "drv_wallaby_\(driver)") { count += 1 }
        }
        return Double(count) / 100
    }

    @Test(arguments: [(Temper.calm, 0.0), (.moody, 25), (.jumpy, 5)])
    func `So many of a hundred rides does it let pass`(temper: Temper, percent: Double) {
        let refused = share { !temper.accepts(rideId: $0, driverId: $1) }
        #expect(abs(refused - percent) <= percent * 0.2, "\(refused)")
    }

    @Test(arguments: [(Temper.calm, 0.0), (.moody, 5), (.jumpy, 20)])
    func `So many of a hundred does it give up on the way, early or late`(temper: Temper, percent: Double) {
        var parts: [Double] = []
        let given = share { rideId, driverId in
            guard let part = temper.givesUp(rideId: rideId, driverId: driverId) else { return false }
            parts.append(part)
            return true
        }
        #expect(abs(given - percent) <= percent * 0.2, "\(given)")
        #expect(parts.allSatisfy { $0 > 0 && $0 < 1 })
        if percent > 0 {
            #expect(abs(parts.reduce(0, +) / Double(parts.count) - 0.5) < 0.05)
            #expect(parts.min() ?? 1 < 0.05 && parts.max() ?? 0 > 0.95)
        }
    }

    @Test(arguments: Temper.allCases)
    func `Of the same ride it always thinks the same, and rides and kangaroos differ`(temper: Temper) {
        for number in 0..<200 {
            let (ride, driver) = ("rid_\(number)", "drv_\(number % 7)")
            #expect(temper.accepts(rideId: ride, driverId: driver) == temper.accepts(rideId: ride, driverId: driver))
            #expect(temper.givesUp(rideId: ride, driverId: driver) == temper.givesUp(rideId: ride, driverId: driver))
        }
        guard temper != .calm else { return }
        #expect(Set((0..<200).map { temper.accepts(rideId: "rid_\($0)", driverId: "drv_1") }).count == 2)
        #expect(Set((0..<200).map { temper.accepts(rideId: "rid_1", driverId: "drv_\($0)") }).count == 2)
        // Whether it gives up does not follow from whether it was near to refusing.
        #expect(Set((0..<200).map { temper.givesUp(rideId: "rid_\($0)", driverId: "drv_1") == nil }).count == 2)
    }

    /// Else processes of two builds would not come to the same.
    @Test func `The answers are these, in any process`() {
        let accepted = (0..<40).map { Temper.moody.accepts(rideId: "rid_\($0)", driverId: "drv_1") ? "y" : "n" }
            .joined()
        #expect(accepted == "ynyyyynyynyynnnyyyynnnyynyyynyyyyyynynyy")
    }
}
