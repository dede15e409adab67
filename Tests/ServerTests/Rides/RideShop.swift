import Hummingbird
import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchImport
@testable import PouchRides

/// The city is ten times as fast as life, so that a ride ends before the rider's token expires.
private func makeCity(_ configuration: inout ServerConfiguration) {
    configuration.city = CitySettings(speed: 10, kangaroosOfEachSpecies: 0)
}

extension Trait where Self == InShop {
    /// A shop for each test with a fast city, which has no kangaroos before the test adds some.
    static func inCity(
        _ products: [FeedProduct] = [], setup: TestingSetup = .router,
        configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in }
    ) -> Self {
        .inShop(products, setup: setup) { configuration in
            makeCity(&configuration)
            configure(&configuration)
        }
    }
}

extension TestShop {
    /// Opens a shop with a fast city that has only these kangaroos.
    static func open(
        kangaroos: [DriverRecord], _ products: [FeedProduct] = [], setup: TestingSetup = .router,
        configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: @Sendable (TestShop) async throws -> Void
    ) async throws {
        try await open(
            products, setup: setup,
            configure: { configuration in
                makeCity(&configuration)
                configure(&configuration)
            }
        ) { shop in
            try await shop.add(kangaroos)
            try await body(shop)
        }
    }

    func add(_ kangaroos: [DriverRecord]) async throws { try await store.write { try $0.drivers.insert(kangaroos) } }

    func advanceCity(by seconds: TimeInterval = 0) async throws {
        clock.advance(by: seconds)
        _ = try await City(rideEnvironment).advance()
    }

    func record(ofRide id: String) async throws -> RideRecord {
        try #require(try await store.read { try $0.rides.ride(id: id) })
    }

    /// Advances the clock just far enough for the ride to reach the status.
    func go(_ id: String, to status: RideStatus, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<100 {
            let ride = try await record(ofRide: id)
            if ride.status == status { return }
            guard let due = ride.dueAt else { break }
            try await advanceCity(by: max(0, due.timeIntervalSince(clock.now)))
        }
        Issue.record("The ride does not become \(status).", sourceLocation: sourceLocation)
        throw DeadlinePassed()
    }

    /// Advances the clock until all rides have ended, and expects that none is stored and no kangaroo is busy.
    func expectNoRides(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        while let due = try await City(rideEnvironment).advance() {
            clock.advance(by: max(0.001, due.timeIntervalSince(clock.now)))
        }
        #expect(try await rows("SELECT 1 FROM rides").isEmpty, sourceLocation: sourceLocation)
        #expect(try await busyKangaroos() == [], sourceLocation: sourceLocation)
    }

    /// The ids of kangaroos that have a ride.
    func busyKangaroos() async throws -> [String] {
        try await rows("SELECT id FROM drivers WHERE ride_id IS NOT NULL ORDER BY id").map { try $0.text(0) }
    }
}

extension [DriverRecord] {
    /// Calm kangaroos of each species, which accept every ride and never give up. The first is a kilometre from the
    /// opera house, and the others further away.
    static func calm(_ count: Int = 1) -> [DriverRecord] {
        Species.allCases.flatMap { species in
            (0..<count).map { number in
                DriverRecord.calm(
                    "drv_\(species.rawValue)_\(number)", name: "Skip \(number)", species,
                    at: GeoPoint.operaHouse.north(1_000 + Double(number)))
            }
        }
    }
}

extension Caller {
    func quotes(_ waypoints: RideWaypoints = .sample) async throws -> [FareQuote] {
        try await call(Contract.quoteRide, QuoteRequest(waypoints: waypoints)).good().items
    }

    func requestRide(
        _ waypoints: RideWaypoints = .sample, option: String = "wallaby", quote: String? = nil,
        key: String? = Caller.key()
    ) async throws -> Answered<Ride> {
        try await call(
            Contract.requestRide, RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quote),
            headers: .key(key))
    }

    func ride(_ id: String) async throws -> Answered<Ride> { try await call(Contract.ride, path: ["id": id]) }

    func cancelRide(_ id: String, key: String? = nil) async throws -> Answered<Ride> {
        try await call(Contract.cancelRide, path: ["id": id], headers: .key(key))
    }

    func receipt(_ id: String) async throws -> Answered<RideReceipt> {
        try await call(Contract.rideReceipt, path: ["id": id])
    }

    func rides() async throws -> [Ride] { try await call(Contract.rides).good().items }
}

extension RideWaypoints {
    /// A trip of about 7 km through Sydney.
    static let sample = RideWaypoints(pickupLocation: .operaHouse, dropoffLocation: .bondi)
}

extension Caller {
    func orderByKangaroo(
        to address: Address = .atBondi, card: String = "tok_ok", discount: String? = nil
    ) async throws -> Order {
        try await add("cap").good()
        if let discount { try await self.discount(discount).good() }
        try await ship("kangaroo", to: address).good()
        return try await checkout(card).good()
    }

    func deliver(_ order: Order, by method: String, ifMatch: String? = nil) async throws -> Answered<Order> {
        try await call(
            Contract.changeDelivery, DeliveryRequest(methodId: method), path: ["id": order.id],
            headers: ifMatch.map { .ifMatch($0) } ?? [:])
    }
}

extension GeoPoint {
    static let shop = GeoPoint(latitude: -33.8861, longitude: 151.2111)
}

extension Address {
    static let atBondi = at(.bondi)

    static func at(_ location: GeoPoint) -> Address {
        Address(
            name: "Ada", line1: "Campbell Parade 1", city: "Bondi Beach", region: "NSW", postalCode: "2026",
            country: "AU", location: location)
    }
}

/// A city without a server, in which nothing moves until a test advances it.
struct TestCity: Sendable {
    let environment: DomainEnvironment
    let store: ShopDatabase
    let rideEnvironment: RideEnvironment
    let clock: SettableClock

    private let configuration: ServerConfiguration

    static func open(
        _ drivers: [DriverRecord], speed: Double = 1, _ body: (TestCity) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let clock = SettableClock()
            var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
            configuration.instrument = { RecordingDatabase($0) }
            configuration.time = clock
            configuration.city = CitySettings(speed: speed, kangaroosOfEachSpecies: 0)
            try await open(configuration, clock) { city in
                try await city.store.write { try $0.drivers.insert(drivers) }
                try await body(city)
            }
        }
    }

    /// Opens a city in which the ride `rid_1` was just requested.
    static func riding(
        _ drivers: [DriverRecord], _ species: Species = .wallaby, speed: Double = 1,
        _ body: (TestCity) async throws -> Void
    ) async throws {
        try await open(drivers, speed: speed) { city in
            try await city.request("rid_1", species)
            try await body(city)
        }
    }

    /// Opens a city with a kangaroo for each of some rides, which were requested an hour ago.
    static func late(rides count: Int, _ body: (TestCity) async throws -> Void) async throws {
        let drivers = try (1...count).map { try DriverRecord.sample(.comes, "rid_\($0)", metres: Double($0) * 500) }
        try await open(drivers) { city in
            for number in 1...count { try await city.request("rid_\(number)") }
            city.clock.advance(by: 3_600)
            try await body(city)
        }
    }

    /// Opens the same city as another process would, sharing only the database and the clock.
    func another(_ body: (TestCity) async throws -> Void) async throws {
        try await Self.open(configuration, clock, body)
    }

    private static func open(
        _ configuration: ServerConfiguration, _ clock: SettableClock, _ body: (TestCity) async throws -> Void
    ) async throws {
        let (database, store, environment) = try await configuration.open()
        try await withCleanup(database.close) {
            let rideEnvironment = RideEnvironment(environment, city: configuration.city)
            try await body(
                TestCity(
                    environment: environment, store: store, rideEnvironment: rideEnvironment, clock: clock,
                    configuration: configuration))
        }
    }

    /// Runs SQL over a separate connection.
    @discardableResult
    func sql(_ sql: String, _ arguments: [SQLValue] = []) async throws -> [SQLRow] {
        let database = try configuration.database.connect()
        return try await withCleanup(database.close) { try await database.write { try $0.rows(sql, arguments) } }
    }

    // MARK: Time

    /// Performs the due steps, and returns the time of the next.
    @discardableResult
    func advance() async throws -> Date? { try await City(rideEnvironment).advance() }

    /// Advances the clock to the next due step and performs it, `steps` times or until nothing is due.
    func run(steps: Int = .max) async throws {
        var steps = steps
        var next = try await advance()
        while let due = next, steps > 0 {
            clock.advance(by: due.timeIntervalSince(clock.now))
            next = try await advance()
            steps -= 1
        }
    }

    // MARK: Rides and kangaroos

    /// Requests a ride with a given id, since the decisions of kangaroos depend on the id.
    func request(
        _ id: String, _ species: Species = .wallaby, from pickup: GeoPoint = .operaHouse, to dropoff: GeoPoint = .bondi
    ) async throws {
        let rider = AccountRecord(
            id: "acc_of_\(id)", role: .customer, name: "Ada", email: "\(id)@example.com", mobileNumber: nil,
            passwordHash: "", createdAt: clock.now)
        let ride = RideRecord(
            id: id, passenger: .rider(id: rider.id), species: species,
            waypoints: RideWaypoints(pickupLocation: pickup, dropoffLocation: dropoff), fare: Money(1_000, .eur),
            distanceMetres: 5_000, at: clock.now)
        let isMade = try await store.write { repositories in
            try repositories.accounts.insert(rider) && repositories.rides.insert(ride)
        }
        try #require(isMade)
        try await advance()
    }

    func ride(_ id: String = "rid_1") async throws -> RideRecord {
        try #require(try await store.read { try $0.rides.ride(id: id) })
    }

    /// The ride after all steps of the city.
    func ended(_ id: String = "rid_1") async throws -> RideRecord {
        try await run()
        return try await ride(id)
    }

    func driver(_ id: String) async throws -> DriverRecord {
        try #require(try await store.read { try $0.drivers.driver(id: id) })
    }

    func waiting(_ species: Species = .wallaby, near point: GeoPoint = .operaHouse) async throws -> Set<String> {
        let cells = CityGrid.cells(around: point, rings: 4, .far)
        return Set(try await store.read { try $0.drivers.waiting(species, in: cells) }.map(\.id))
    }
}

extension GeoPoint {
    static let operaHouse = GeoPoint(latitude: -33.8568, longitude: 151.2153)
    static let bondi = GeoPoint(latitude: -33.8915, longitude: 151.2767)

    /// A point north of this one, rounded to a millionth of a degree, as the database stores it.
    func north(_ metres: Double) -> GeoPoint {
        GeoPoint(latitude: ((latitude + metres / 111_195) * 1_000_000).rounded() / 1_000_000, longitude: longitude)
    }
}

/// The behaviour of a kangaroo in a ride.
enum Conduct {
    case comes, refuses, givesUp
}

extension DriverRecord {
    /// A kangaroo `metres` north of the opera house whose temper leads to the given conduct in the ride.
    static func sample(
        _ conduct: Conduct = .comes, _ rideId: String = "rid_1", temper: Temper = .jumpy, species: Species = .wallaby,
        metres: Double = 1_000
    ) throws -> DriverRecord {
        let ids = (0..<10_000).lazy.map { "drv_\(Int(metres))_\($0)" }
        let id = ids.first { id in
            let accepts = temper.accepts(rideId: rideId, driverId: id)
            let givesUp = temper.givesUp(rideId: rideId, driverId: id) != nil
            return switch conduct {
            case .comes: accepts && !givesUp
            case .refuses: !accepts
            case .givesUp: accepts && givesUp
            }
        }
        return DriverRecord(
            id: try #require(id), name: "Skip", species: species, temper: temper, rating: 47,
            location: GeoPoint.operaHouse.north(metres))
    }

    static func calm(
        _ id: String, name: String = "Skip", _ species: Species = .wallaby, at location: GeoPoint = .operaHouse
    ) -> DriverRecord {
        DriverRecord(id: id, name: name, species: species, temper: .calm, rating: 47, location: location)
    }
}

extension RideRecord {
    static func sample(
        _ statuses: [RideStatus], engagement: Engagement? = nil, dueAt: Date? = nil, version: Int = 1
    ) -> RideRecord {
        RideRecord(
            id: "rid_1", passenger: .rider(id: "acc_1"), species: .wallaby, waypoints: .sample,
            fare: Money(1_000, .eur), distanceMetres: 5_000, createdAt: .distantPast,
            history: statuses.map { Ride.Event(status: $0, at: .distantPast) }, engagement: engagement, refusals: [],
            dueAt: dueAt, version: version)
    }

    var statuses: [RideStatus] { history.map(\.status) }

    /// The times of the statuses, in seconds since the request.
    var seconds: [Double] { history.map { $0.at.timeIntervalSince(createdAt) } }
}

extension [RideStatus] {
    static var whole: [RideStatus] { [.requested, .accepted, .arriving, .inProgress, .completed] }
}
