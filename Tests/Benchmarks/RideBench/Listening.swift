import AsyncHTTPClient
import Benchmarking
import Foundation
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import PouchContract
import PouchDomain
import PouchEntities
import PouchRides
import PouchServer
import PouchWire
import ServiceLifecycle

/// Rides that 1,000 listeners follow over HTTP, on a connection each, in the same process as the server.
///
/// A delay is from when a status came about, which the event says itself, to when a listener has read it.
struct Listening {
    private static let listeners = 1_000
    private static let rides = 3

    let database: DatabaseAddress
    let folder: URL

    func run() async throws {
        let port = ListeningPort()
        var configuration = ServerConfiguration(database: database)
        configuration.dataFolder = folder
        configuration.port = 0
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        // So that a trip of 2 km takes some seconds.
        configuration.city = CitySettings(speed: 60, kangaroosOfEachSpecies: 100)
        configuration.onListening = { await port.set($0) }
        var logger = Logger(label: "bench")
        logger.logLevel = .critical
        let shop = try await ShopApplication(configuration)
        let services = ServiceGroup(
            configuration: .init(services: [try shop.application(logger: logger)], logger: logger))
        var settings = HTTPClient.Configuration()
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.listeners + 1
        let client = HTTPClient(configuration: settings)
        var delays: [Double] = []
        let server = Task { try await services.run() }
        do {
            let rider = Rider(client: client, address: "http://127.0.0.1:\(await port.value)")
            let token = try await rider.signUp()
            for _ in 0..<Self.rides {
                let ride = try await rider.request(token)
                delays += try await withThrowingTaskGroup(of: [Double].self) { group in
                    for _ in 0..<Self.listeners { group.addTask { try await rider.follow(ride, token) } }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
            }
        } catch {
            await services.triggerGracefulShutdown()
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        await services.triggerGracefulShutdown()
        try await server.value
        let sorted = delays.sorted()
        say("\(Self.listeners) listeners of a ride, \(Self.rides) rides, \(sorted.count) statuses heard:")
        say(
            String(
                format: "  delay p50 %.1f ms, p99 %.1f ms, longest %.1f ms", sorted.percentile(50),
                sorted.percentile(99), sorted.last ?? 0))
    }
}

/// Somebody who asks for rides and listens.
private struct Rider: Sendable {
    let client: HTTPClient
    let address: String

    func signUp() async throws -> String {
        let session: UserSession = try await post(
            "/v1/accounts", SignUpRequest(name: "Bench", email: "bench@example.com", password: "correct horse"))
        return session.remoteSession.accessToken
    }

    func request(_ token: String) async throws -> Ride {
        let waypoints = RideWaypoints(
            pickupLocation: GeoPoint(latitude: -33.8688, longitude: 151.2093),
            dropoffLocation: GeoPoint(latitude: -33.8688, longitude: 151.2293))
        return try await post(
            "/v1/rides", RideRequest(waypoints: waypoints, rideOptionID: Species.wallaby.rawValue), token)
    }

    /// - Returns: the delays of the statuses that came about while listening, in milliseconds.
    func follow(_ ride: Ride, _ token: String) async throws -> [Double] {
        var request = HTTPClientRequest(url: address + "/v1/rides/\(ride.id)/events")
        request.headers.add(name: "Authorization", value: "Bearer " + token)
        let response = try await client.execute(request, timeout: .minutes(5))
        guard response.status == .ok else { throw BenchError("listening was answered with \(response.status)") }
        let begun = Date()
        var delays: [Double] = []
        var text = ""
        for try await piece in response.body {
            text += String(buffer: piece)
            while let end = text.range(of: "\n\n") {
                let event = text[..<end.lowerBound]
                text.removeSubrange(..<end.upperBound)
                guard event.contains("event: status"), let data = event.range(of: "data: ") else { continue }
                let update = try WireJSON.decode(RideUpdate.self, from: Data(event[data.upperBound...].utf8))
                if let at = update.history?.last?.at, at > begun {
                    delays.append(Date().timeIntervalSince(at) * 1_000)
                }
            }
        }
        return delays
    }

    private func post<Answer: Decodable>(
        _ path: String, _ body: some Encodable, _ token: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: address + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Idempotency-Key", value: UUID().uuidString)
        if let token { request.headers.add(name: "Authorization", value: "Bearer " + token) }
        request.body = .bytes(ByteBuffer(data: try WireJSON.encode(body)))
        let response = try await client.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .ok || response.status == .created else {
            throw BenchError("\(path) was answered with \(response.status): \(String(buffer: bytes))")
        }
        return try WireJSON.decode(Answer.self, from: Data(buffer: bytes))
    }
}
