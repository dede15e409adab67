import AsyncHTTPClient
import Benchmarking
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchRides
import PouchServer
import ServerTesting

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
        // All clients have the address of this machine.
        configuration.policy.newSessions = nil
        configuration.dataFolder = folder
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        // A trip of 2 km takes some seconds.
        configuration.city = CitySettings(speed: 60, kangaroosOfEachSpecies: 100)
        let delays = try await withServer(configuration) { _, port in
            var settings = HTTPClient.Configuration()
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.listeners + 1
            let client = HTTPClient(configuration: settings)
            return try await withCleanup({ try await client.shutdown() }) {
                try await Self.delays(for: Rider(client: client, address: "http://127.0.0.1:\(port)"))
            }
        }
        let sorted = delays.sorted()
        say(
            "\(Self.listeners) listeners of \(Self.riders) rides, \(Self.rides) rounds, \(sorted.count) statuses received:"
        )
        say(
            String(
                format: "  delay p50 %.1f ms, p99 %.1f ms, longest %.1f ms", sorted.percentile(50),
                sorted.percentile(99), sorted.last ?? 0))
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
        return delays
    }
}

/// A customer who requests rides and follows them.
private struct Rider: Sendable {
    let client: HTTPClient
    let address: String

    func signUp(_ number: Int) async throws -> String {
        let session: UserSession = try await post(
            "/v1/accounts", SignUpRequest(name: "Bench", email: "bench\(number)@example.com", password: "correct horse")
        )
        return session.remoteSession.accessToken
    }

    func request(_ token: String) async throws -> Ride {
        let waypoints = RideWaypoints(
            pickupLocation: GeoPoint(latitude: -33.8688, longitude: 151.2093),
            dropoffLocation: GeoPoint(latitude: -33.8688, longitude: 151.2293))
        return try await post(
            "/v1/rides", RideRequest(waypoints: waypoints, rideOptionID: Species.wallaby.rawValue), token)
    }

    /// - Returns: The delays in milliseconds of the statuses that changed while listening.
    func follow(_ ride: Ride, _ token: String) async throws -> [Double] {
        var request = HTTPClientRequest(url: address + "/v1/rides/\(ride.id)/events")
        request.headers.add(name: "Authorization", value: "Bearer " + token)
        let response = try await client.execute(request, timeout: .minutes(5))
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
                if let at = update.history?.last?.at, at > begun {
                    delays.append(Date().timeIntervalSince(at) * 1_000)
                }
            }
        }
        return delays
    }

    private func post<Answer: JSONCodable>(
        _ path: String, _ body: some JSONCodable, _ token: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: address + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Idempotency-Key", value: UUID().uuidString)
        if let token { request.headers.add(name: "Authorization", value: "Bearer " + token) }
        request.body = .bytes(ByteBuffer(data: try body.json()))
        let response = try await client.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .ok || response.status == .created else {
            throw BenchError("\(path): status \(response.status): \(String(buffer: bytes))")
        }
        return try Answer(json: Data(buffer: bytes))
    }
}
