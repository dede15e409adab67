import Logging
import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchRides
@testable import PouchServer

@Suite("Trips", .timeLimit(.minutes(5)))
struct TripTests {
    private static let streets = 1.3

    /// The seconds that a species takes between two points.
    private func time(_ start: GeoPoint, _ end: GeoPoint, _ pace: Double) -> Double {
        (start.distance(to: end) * Self.streets).rounded() / pace
    }

    /// Compares with a tolerance, since the clock and the database count milliseconds.
    private func isClose(_ times: [Double], _ expected: [Double], within tolerance: Double = 0.01) -> Bool {
        times.count == expected.count && zip(times, expected).allSatisfy { abs($0 - $1) < tolerance }
    }

    @Test(
        arguments: [(Temper.calm, 4.0), (.moody, 8), (.jumpy, 2)],
        [(Species.wallaby, 8.0), (.wallaroo, 9), (.kangaroo, 10)])
    func `A ride goes through all statuses at the computed times, at once if the kangaroo is at the pick-up`(
        temper: (Temper, reaction: Double), species: (Species, pace: Double)
    ) async throws {
        for metres in [1_000.0, 0] {
            let driver = try DriverRecord.sample(temper: temper.0, species: species.0, metres: metres)
            try await TestCity.riding([driver], species.0) { city in
                let ride = try await city.ended()
                #expect(ride.statuses == .whole && ride.dueAt == nil)
                let pickUp = temper.reaction + time(driver.location, .operaHouse, species.pace) + 15
                let dropOff = pickUp + time(.operaHouse, .bondi, species.pace)
                let expected = [0, temper.reaction, max(temper.reaction, pickUp - 45), pickUp, dropOff]
                #expect(isClose(ride.seconds, expected), "\(metres) m: \(ride.seconds), expected \(expected)")
                #expect(try await city.driver(driver.id).location == .bondi)
                #expect(try await city.waiting(species.0, near: .bondi) == [driver.id])
            }
        }
    }

    @Test func `A city ten times as fast takes a tenth of the time for every step`() async throws {
        var courses: [[Double]] = []
        for speed in [1.0, 10] {
            try await TestCity.riding([try .sample()], speed: speed) { city in
                courses.append(try await city.ended().seconds.map { $0 * speed })
            }
        }
        #expect(isClose(courses[0], courses[1], within: 0.1), "\(courses)")
    }

    @Test func `Once it accepts, a kangaroo's position follows the clock, and its time falls to zero`() async throws {
        let driver = try DriverRecord.sample(metres: 2_000)
        try await TestCity.riding([driver]) { city in
            let (asked, shown) = (try await city.ride(), try await city.ride().ride(at: city.clock.now))
            #expect(asked.engagement != nil && shown.driver == nil && shown.etaSeconds == nil)
            for (start, end, wait) in [(driver.location, GeoPoint.operaHouse, 2.0), (.operaHouse, .bondi, 15)] {
                city.clock.advance(by: wait)
                let whole = time(start, end, 8)
                var last = Int.max
                for quarter in 0...4 {
                    try await city.advance()
                    let ride = try await city.ride().ride(at: city.clock.now)
                    if quarter == 4, end == .bondi {
                        #expect(ride.status == .completed && ride.etaSeconds == nil)
                    } else {
                        let eta = try #require(ride.etaSeconds)
                        #expect(abs(Double(eta) - whole * Double(4 - quarter) / 4) <= 1 && eta < last)
                        last = eta
                    }
                    let at = try #require(ride.driver).location
                    #expect(at.distance(to: start.point(towards: end, fraction: Double(quarter) / 4)) < 1)
                    #expect(ride.driver?.rating == 4.7 && ride.driver?.name == "Skip")
                    if quarter < 4 { city.clock.advance(by: whole / 4) }
                }
            }
        }
    }

    // MARK: Refusals

    @Test(arguments: [Conduct.comes, .refuses])
    func `After a refusal the next nearest kangaroo is asked, until all in reach have refused`(
        next: Conduct
    ) async throws {
        let first = try DriverRecord.sample(.refuses, metres: 500)
        let second = try DriverRecord.sample(next, metres: 900)
        try await TestCity.riding([second, first]) { city in
            #expect(try await city.ride().engagement?.driverId == first.id)
            try await city.run(steps: 1)
            #expect(try await city.ride().engagement?.driverId == second.id)
            #expect(try await city.waiting() == [first.id])
            #expect(try await city.driver(first.id).location == first.location)
            let ride = try await city.ended()
            if next == .comes {
                #expect(ride.statuses == .whole && ride.seconds[1] == 4 && ride.refusals == [first.id])
            } else {
                #expect(ride.statuses == [.requested, .noDriversAvailable] && ride.seconds == [0, 4])
                #expect(try await city.waiting() == [first.id, second.id])
            }
        }
    }

    @Test func `A kangaroo that gives up waits where it turned back, and the next nearest comes`() async throws {
        let first = try DriverRecord.sample(.givesUp, metres: 1_000)
        let second = try DriverRecord.sample(metres: 3_000)
        try await TestCity.riding([first, second]) { city in
            let ride = try await city.ended()
            #expect(ride.statuses == [.requested, .accepted, .cancelledByDriver] + [RideStatus].whole)
            #expect(ride.engagement?.driverId == second.id && ride.refusals == [first.id])
            let part = try #require(first.temper.givesUp(rideId: "rid_1", driverId: first.id))
            let turned = first.location.point(towards: .operaHouse, fraction: part)
            #expect(try await city.driver(first.id).location.distance(to: turned) < 1)
            let expected = 2 + part * time(first.location, .operaHouse, 8)
            #expect(abs(ride.seconds[2] - expected) < 0.01 && ride.seconds[3] == ride.seconds[2])
        }
    }

    @Test func `A ride ends when its only kangaroo gives up`() async throws {
        let driver = try DriverRecord.sample(.givesUp)
        try await TestCity.riding([driver]) { city in
            let ride = try await city.ended()
            #expect(ride.statuses == [.requested, .accepted, .cancelledByDriver])
            #expect(ride.dueAt == nil && ride.ride(at: city.clock.now).driver == nil)
            #expect(try await city.waiting() == [driver.id])
        }
    }

    // MARK: No kangaroos

    @Test(arguments: [20_010.0, 90_000])
    func `Without a kangaroo of the species in reach the ride ends at once`(metres: Double) async throws {
        let far = try DriverRecord.sample(temper: .calm, metres: metres)
        try await TestCity.riding([far, try .sample(species: .wallaroo)]) { city in
            let ride = try await city.ride()
            #expect(ride.statuses == [.requested, .noDriversAvailable] && ride.seconds == [0, 0])
            #expect(try await city.advance() == nil)
        }
    }

    @Test func `A ride waits up to two minutes for a busy kangaroo`() async throws {
        try await TestCity.open([try .sample(temper: .calm, metres: 100)]) { city in
            try await city.request("rid_1", to: GeoPoint.operaHouse.north(400))
            try await city.request("rid_2")
            #expect(try await city.ride("rid_2").engagement == nil)
            let (first, second) = (try await city.ended("rid_1"), try await city.ride("rid_2"))
            #expect(first.statuses == .whole && second.statuses == .whole)
            // The kangaroo answers after 4 s. Searches run every 5 s.
            let asked = second.seconds[1] - 4
            #expect((0..<5).contains(asked - first.seconds[4]) && asked < 120)
        }
    }

    @Test func `A ride ends without a kangaroo after two minutes' wait, divided by the city's speed`() async throws {
        try await TestCity.open([try .sample(temper: .calm)], speed: 4) { city in
            try await city.request("rid_1", to: GeoPoint.operaHouse.north(50_000))
            try await city.request("rid_2")
            #expect(try await city.ended("rid_1").statuses == .whole)
            let ride = try await city.ride("rid_2")
            #expect(ride.statuses == [.requested, .noDriversAvailable] && ride.seconds == [0, 30])
        }
    }

    @Test func `All waiting rides get the kangaroo in turn`() async throws {
        try await TestCity.open([try .sample(temper: .calm, metres: 100)]) { city in
            for number in 1...3 { try await city.request("rid_\(number)", to: GeoPoint.operaHouse.north(100)) }
            for number in 1...3 { #expect(try await city.ended("rid_\(number)").statuses == .whole) }
        }
    }

    // MARK: Pauses of the server

    @Test func `Steps due during a pause are made up, with the times at which they were due`() async throws {
        let driver = try DriverRecord.sample()
        var courses: [[Double]] = []
        for pause in [0.0, 3_600] {
            try await TestCity.riding([driver]) { city in
                city.clock.advance(by: pause)
                let ride = try await city.ended()
                #expect(ride.statuses == .whole)
                #expect(try await city.driver(driver.id).location == .bondi)
                courses.append(ride.seconds)
            }
        }
        #expect(courses[0] == courses[1])
    }

    @Test func `After a pause a ride that frees a kangaroo goes before the ride that waits for it`() async throws {
        let driver = try DriverRecord.sample(temper: .calm, metres: 100)
        try await TestCity.open([driver]) { city in
            try await city.request("rid_1", to: GeoPoint.operaHouse.north(2_000))
            try await city.run(steps: 2)
            #expect(try await city.ride("rid_1").status == .inProgress)
            try await city.request("rid_2")
            city.clock.advance(by: 3_600)
            try await city.advance()
            #expect(try await city.ride("rid_1").statuses == .whole)
            #expect(try await city.ride("rid_2").engagement?.driverId == driver.id)
            #expect(try await city.ended("rid_2").statuses == .whole)
        }
    }

    @Test func `After a pause in which a kangaroo gave up, the next one starts at the current time`() async throws {
        let drivers = [try DriverRecord.sample(.givesUp, metres: 1_000), try .sample(metres: 3_000)]
        try await TestCity.riding(drivers) { city in
            city.clock.advance(by: 3_600)
            try await city.advance()
            let ride = try await city.ride()
            #expect(ride.statuses == [.requested, .accepted, .cancelledByDriver, .requested])
            #expect(ride.seconds[3] < 200)
            let ended = try await city.ended()
            #expect(Array(ended.statuses.suffix(5)) == .whole && ended.seconds[4] == 3_602)
        }
    }

    @Test func `A failed step of one ride is retried later, and other rides continue`() async throws {
        try await TestCity.late(rides: 2) { city in
            try await city.sql("UPDATE rides SET refusals = 'no list' WHERE id = 'rid_1'")
            var reported: [String] = []
            let next = try await City(city.rideEnvironment).advance(report: { id, _ in reported.append(id) })
            #expect(reported == ["rid_1"] && next == nil)
            #expect(try await city.ride("rid_2").status == .completed)
            // An excepted ride is not tried.
            _ = try await City(city.rideEnvironment).advance(
                except: ["rid_1"], report: { id, _ in reported.append(id) })
            #expect(reported == ["rid_1"])
            try await city.sql("UPDATE rides SET refusals = '[]' WHERE id = 'rid_1'")
            #expect(try await city.ended("rid_1").status == .completed)
        }
    }

    @Test func `A cancelled city stops without reporting a failed ride`() async throws {
        try await TestCity.late(rides: 3) { city in
            let (reported, hasThrown) = await Task {
                var reported: [String] = []
                do {
                    _ = try await City(city.rideEnvironment).advance(
                        report: { id, _ in reported.append(id) },
                        onChange: { _ in withUnsafeCurrentTask { $0?.cancel() } })
                    return (reported, false)
                } catch {
                    return (reported, error is CancellationError)
                }
            }.value
            #expect(reported == [] && hasThrown)
            let ends = try await city.sql("SELECT status FROM rides WHERE due_at IS NULL").map { try $0.text(0) }
            #expect(ends == ["completed"])
        }
    }

    @Test func `A step due within a millisecond is waited for, not retried in a loop`() async throws {
        try await TestCity.riding([try .sample()]) { city in
            let due = try #require(try await city.ride().dueAt)
            city.clock.advance(by: due.timeIntervalSince(city.clock.now) - 0.000_4)
            let transactions = try await RecordingDatabase.transactions {
                let next = try await city.advance()
                #expect(next == due)
            }
            #expect(transactions.count == 3)
            city.clock.advance(by: 0.001)
            try await city.advance()
            #expect(try await city.ride().status == .accepted)
        }
    }

    // MARK: Cost

    @Test(arguments: [0, 200])
    func `Each step takes few statements with any number of kangaroos`(others: Int) async throws {
        let crowd = (0..<others).map { number in
            DriverRecord.calm("drv_other_\(number)", at: GeoPoint.operaHouse.north(2_000 + Double(number)))
        }
        try await TestCity.open([try DriverRecord.sample(metres: 500)] + crowd) { city in
            let request = try await RecordingDatabase.transactions { try await city.request("rid_1") }
            var counts = [request.joined().count - 2]
            while let due = try await city.ride().dueAt {
                city.clock.advance(by: due.timeIntervalSince(city.clock.now))
                counts.append(try await RecordingDatabase.transactions { try await city.advance() }.joined().count)
            }
            // Three statements search for due rides; the rest belong to the step.
            #expect(counts.map { $0 - 3 } == [5, 3, 2, 2, 5], "\(counts)")
        }
    }
}
