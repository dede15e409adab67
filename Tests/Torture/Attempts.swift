import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PouchContract
import PouchWire
import SeededRandom

/// Sends a request until it is answered, as a buyer's program does when the shop goes away under it.
struct Attempts: Sendable {
    struct Answer: Sendable {
        let status: Int
        let body: Data
        let isReplay: Bool

        var code: ProblemCode? { try? WireJSON.decode(ProblemDetails.self, from: body).problem.code }

        func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try WireJSON.decode(type, from: body)
        }
    }

    struct Unanswered: Error { let request: String }

    /// A settlement takes 30 s after shop and provider are up again, and both are killed again and again.
    static let patience = Duration.seconds(150)

    let client: HTTPClient
    let fleet: Fleet
    let counts: Counts

    /// - Parameter work: sends requests over a client of its own.
    static func over<Value>(_ fleet: Fleet, _ work: (Attempts) async throws -> Value) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        // Slow requests keep their connections; the others do not wait for them.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        let client = HTTPClient(configuration: configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(try await work(Attempts(client: client, fleet: fleet, counts: Counts())))
        } catch { result = .failure(error) }
        try await client.shutdown()
        return try result.get()
    }

    /// Waits until so many requests have been answered. Those that broke off do not count: while a server starts there are
    /// many. Where little is sent, the moment is after the bound.
    func untilAnswered(_ count: Int, atMost bound: Duration = .seconds(2)) async throws {
        let moment = await counts.values.answered + count
        let latest = ContinuousClock.now + bound
        while await counts.values.answered < moment, ContinuousClock.now < latest {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// - Parameter isFinal: whether an answer that says “try again” is taken all the same.
    func send(
        _ method: String, _ path: String, body: Data? = nil, as buyer: BuyerSession? = nil, key: String? = nil,
        random: inout SplitMix64, isFinal: (Answer) -> Bool = { _ in false }
    ) async throws -> Answer {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let shop = await fleet.shop(&random) {
                let token = try await buyer?.token(self)
                await counts.add(\.requests)
                if let answer = try? await once(shop + path, method, body, token: token, key: key) {
                    let isOver = ![502, 503].contains(answer.status) && answer.code != .idempotencyKeyInUse
                    if isOver || isFinal(answer) { return answer }
                    try await Task.sleep(for: .milliseconds(300))
                    continue
                }
                await counts.add(\.unanswered)
            }
            try await Task.sleep(for: .milliseconds(30))
        }
        throw Unanswered(request: "\(method) \(path)")
    }

    func once(_ url: String, _ method: String, _ body: Data?, token: String?, key: String?) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        if let token { request.headers.add(name: HeaderName.authorization, value: "Bearer " + token) }
        if let key { request.headers.add(name: HeaderName.idempotencyKey, value: key) }
        let response = try await client.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 22)
        return Answer(
            status: Int(response.status.code), body: Data(bytes.readableBytesView),
            isReplay: response.headers.first(name: HeaderName.idempotentReplayed) == "true")
    }
}
