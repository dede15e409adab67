import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PouchRides
import ShopBenching

/// Measures how fast 1,000 listeners receive the statuses of 50 rides over HTTP, on one connection each, in the process
/// of the server.
///
/// A delay is the time from the change of status, which the event contains, until a listener has read it.
struct Listening {
    private static let riders = 50
    /// The most that the server allows.
    private static let listenersOfOneRide = 20
    private static let listeners = riders * listenersOfOneRide
    private static let rides = 3

    let database: DatabaseAddress
    let folder: URL

    func run() async throws {
        var configuration = ServerConfiguration(database: database)
        configuration.admitsManyGuests(in: folder)
        // A trip of 2 km takes some seconds.
        configuration.city = CitySettings(speed: 60, kangaroosOfEachSpecies: 100)
        let delays = try await withServer(configuration) { _, port in
            var settings = HTTPClient.Configuration()
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.listeners + 1
            let client = APIClient("http://127.0.0.1:\(port)", HTTPClient(configuration: settings))
            return try await withCleanup({ try await client.shutdown() }) {
                try await Self.delays(for: Rider(client: client))
            }
        }
        say(
            "\(Self.listeners) listeners of \(Self.riders) rides, \(Self.rides) rounds, \(delays.count) statuses received:"
        )
        let (p50, p99) = (delays.percentile(50).text(1), delays.percentile(99).text(1))
        say("  delay p50 \(p50) ms, p99 \(p99) ms, longest \((delays.last ?? 0).text(1)) ms")
    }

    private static func delays(for rider: Rider) async throws -> [Double] {
        var tokens: [String] = []
        for number in 0..<riders { tokens.append(try await rider.signUp(number)) }
        var delays: [Double] = []
        for _ in 0..<rides {
            delays += try await withThrowingTaskGroup(of: [Double].self) { group in
                for token in tokens {
                    let ride = try await rider.request(token)
                    for _ in 0..<listenersOfOneRide { group.addTask { try await rider.follow(ride, token) } }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        return delays.sorted()
    }
}

/// A customer who requests rides and follows them.
private struct Rider: Sendable {
    let client: APIClient

    func signUp(_ number: Int) async throws -> String {
        let account = SignUpRequest(name: "Bench", email: "bench\(number)@example.com", password: "correct horse")
        return try UserSession(json: try await post("/v1/accounts", account)).remoteSession.accessToken
    }

    func request(_ token: String) async throws -> Ride {
        let waypoints = RideWaypoints(
            pickupLocation: GeoPoint(latitude: -33.8688, longitude: 151.2093),
            dropoffLocation: GeoPoint(latitude: -33.8688, longitude: 151.2293))
        let request = RideRequest(waypoints: waypoints, rideOptionID: Species.wallaby.rawValue)
        return try Ride(json: try await post("/v1/rides", request, token))
    }

    /// - Returns: The delays in milliseconds of the statuses that changed while listening.
    func follow(_ ride: Ride, _ token: String) async throws -> [Double] {
        let request = client.request(.GET, "/v1/rides/\(ride.id)/events", token: token)
        let response = try await client.http.execute(request, timeout: .minutes(5))
        guard response.status == .ok else { throw BenchError("following a ride: status \(response.status)") }
        let begun = Date()
        var delays: [Double] = []
        var text = ""
        for try await piece in response.body {
            text += String(buffer: piece)
            while let end = text.range(of: "\n\n") {
                let event = text[..<end.lowerBound]
                text.removeSubrange(..<end.upperBound)
                guard event.contains("event: status"), let data = event.range(of: "data: ") else { continue }
                let update = try RideUpdate(json: Data(event[data.upperBound...].utf8))
                if let at = update.history?.last?.at, at > begun { delays.append(Date().timeIntervalSince(at) * 1_000) }
            }
        }
        return delays
    }

    private func post(_ path: String, _ body: some JSONCodable, _ token: String? = nil) async throws -> Data {
        let key = [HeaderName.idempotencyKey: UUID().uuidString]
        return try await client.send(.POST, path, try body.json(), headers: key, token: token)
    }
}
