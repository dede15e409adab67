import Foundation
import PouchDomain
import PouchEntities
import Testing

@Suite("Scheduled prices")
struct PriceScheduleTests {
    private static func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    private static func entry(_ id: String, _ price: Int64, _ start: Double, _ end: Double) -> ScheduledPrice {
        ScheduledPrice(id: id, sku: "a", price: Money(price, .eur), startsAt: time(start), endsAt: time(end))
    }

    private static let schedule = PriceSchedule(
        base: Money(1_000, .eur),
        entries: [
            entry("3", 700, 100, 200), entry("1", 900, 0, 300), entry("2", 800, 100, 150), entry("4", 1, 250, 250),
        ])

    @Test(
        arguments: [
            (-0.001, 1_000, 0), (0, 900, 100), (99.999, 900, 100), (100, 700, 150), (150, 700, 200),
            (199.999, 700, 200),
            (200, 900, 300), (250, 900, 300), (299.999, 900, 300), (300, 1_000, nil),
        ] as [(Double, Int64, Double?)])
    func `The price that began last holds until right before its end, and of equals the one made last`(
        seconds: Double, price: Int64, next: Double?
    ) {
        let now = Self.time(seconds)
        #expect(Self.schedule.price(at: now).amount == price)
        #expect(Self.schedule.nextBoundary(after: now) == next.map(Self.time))
    }

    @Test func `Between two boundaries the price stays`() {
        var random = SplitMix64(seed: 10)
        for _ in 0..<500 {
            let schedule = PriceSchedule(
                base: Money(1_000, .eur),
                entries: (0..<5).map { id in
                    let start = Double(Int.random(in: 0..<40, using: &random))
                    return Self.entry(
                        "\(id)", Int64(id), start, start + Double(Int.random(in: 0..<20, using: &random)))
                })
            for second in 0..<60 {
                let now = Self.time(Double(second))
                guard schedule.price(at: now) != schedule.price(at: Self.time(Double(second + 1))) else { continue }
                #expect(schedule.nextBoundary(after: now) == Self.time(Double(second + 1)))
            }
        }
    }
}
