import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SeededRandom
import ServerTesting
import SystemPackage

/// Sends requests until they are answered, as a buyer's program does when the shop fails.
struct Attempts: Sendable {
    struct Answer: Sendable {
        let request: String
        let status: Int
        let body: Data
        let isReplay: Bool

        var code: ProblemCode? { try? ProblemDetails(json: body).problem.code }
        func value<Value: JSONCodable>(_ type: Value.Type = Value.self) throws -> Value { try Value(json: body) }

        /// Throws unless the answer has one of the statuses or codes.
        func expect(_ statuses: Set<Int>, or codes: Set<ProblemCode> = []) throws {
            guard statuses.contains(status) || code.map(codes.contains) == true else {
                throw Unexpected(text: "\(request): \(status) \(String(decoding: body, as: UTF8.self))")
            }
        }
    }

    struct Unexpected: Error { let text: String }

    /// A request that got no answer in time, with what its tries met.
    struct Unanswered: Error {
        let request: String
        let tries: [String: Int]
    }

    /// The time limit of a request after the last kill. A settlement takes 30 s, and the purchase may be made after it.
    ///
    /// Kills every second may keep a purchase with a slow card from its end for any time.
    private static let patience = Duration.seconds(240)

    let client: HTTPClient
    let fleet: Fleet
    let counts: Counts

    /// Starts a fleet, calls the closure with a client of the fleet and a connection to its database, and stops the
    /// fleet.
    static func onFleet<Value>(
        _ executable: FilePath, _ database: TestDatabase, options: [String], folder: URL,
        _ work: (Attempts, any Database) async throws -> Value
    ) async throws -> Value {
        let fleet = try await Fleet.start(executable, database: database.text, options: options, folder: folder)
        let connection = try database.address.connect()
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        // Slow requests must not block others.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        let client = HTTPClient(configuration: configuration)
        return try await withCleanup({
            try await client.shutdown()
            try await connection.close()
            try await fleet.end()
        }) { try await work(Attempts(client: client, fleet: fleet, counts: Counts()), connection) }
    }

    /// Waits until the given number of further requests is answered, at most for the given time.
    ///
    /// Requests without an answer do not count, since there are many of them while a server starts.
    func untilAnswered(_ count: Int, atMost bound: Duration = .seconds(2)) async throws {
        let moment = await counts.values.answered + count
        let latest = ContinuousClock.now + bound
        while await counts.values.answered < moment, ContinuousClock.now < latest {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Sends a request until it gets an answer other than “try again”.
    ///
    /// - Parameter isFinal: Whether to accept an answer that says “try again”.
    func send(
        _ method: String, _ path: String, body: Data? = nil, as buyer: BuyerSession? = nil, key: String? = nil,
        random: inout SplitMix64, isFinal: (Answer) -> Bool = { _ in false }
    ) async throws -> Answer {
        let start = ContinuousClock.now
        var tries: [String: Int] = [:]
        while await ContinuousClock.now < max(start, counts.lastKill ?? start) + Self.patience {
            if let shop = await fleet.shop(&random) {
                let token = try await buyer?.token(self)
                await counts.add(\.requests)
                if let answer = try? await once(shop + path, method, body, token: token, key: key) {
                    let isOver = ![502, 503].contains(answer.status) && answer.code != .idempotencyKeyInUse
                    if isOver || isFinal(answer) { return answer }
                    tries["\(answer.status) \(answer.code?.rawValue ?? "")", default: 0] += 1
                    try await Task.sleep(for: .milliseconds(300))
                    continue
                }
                await counts.add(\.unanswered)
                tries["no answer", default: 0] += 1
            }
            try await Task.sleep(for: .milliseconds(30))
        }
        throw Unanswered(request: "\(method) \(path)", tries: tries)
    }

    /// Sends a request with a new idempotency key, until it is answered.
    func keyed(
        _ method: String, _ path: String, _ body: (some JSONCodable)?, as buyer: BuyerSession?,
        random: inout SplitMix64, isFinal: (Answer) -> Bool = { _ in false }
    ) async throws -> Acknowledged {
        let key = "key-\(random.next())"
        let bytes = try body.map { try $0.json() }
        let answer = try await send(method, path, body: bytes, as: buyer, key: key, random: &random, isFinal: isFinal)
        return Acknowledged(method: method, path: path, body: bytes, key: key, answer: answer, buyer: buyer)
    }

    /// Sends a request once.
    func once(_ url: String, _ method: String, _ body: Data?, token: String?, key: String?) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        // A server that is killed while it checks a password leaves a failed attempt, of which a network may have few.
        let network = (0..<3).map { _ in "\(Int.random(in: 1...254))" }.joined(separator: ".")
        request.headers.add(name: "X-Forwarded-For", value: "10.\(network)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        if let token { request.headers.add(name: HeaderName.authorization, value: "Bearer " + token) }
        if let key { request.headers.add(name: HeaderName.idempotencyKey, value: key) }
        let response = try await client.execute(request, timeout: .seconds(180))
        let bytes = try await response.body.collect(upTo: 1 << 22)
        return Answer(
            request: "\(method) \(url)", status: Int(response.status.code), body: Data(bytes.readableBytesView),
            isReplay: response.headers.first(name: HeaderName.idempotentReplayed) == "true")
    }
}

// MARK: - Sessions
/// The session of a buyer, rider or administrator. During a long run its access token is refreshed, and the password of
/// an administrator confirmed again.
actor BuyerSession {
    private var session: RemoteSession
    private var refresh: Task<RemoteSession, any Error>?
    /// nil for a session that does nothing that needs a fresh sign-in.
    private let password: String?
    private var confirmedAt = Date.now
    private var confirmation: Task<Void, any Error>?

    init(_ session: RemoteSession, password: String? = nil) {
        self.session = session
        self.password = password
    }

    /// Returns an access token that is valid for at least another minute, of a session that counts as fresh if it has a
    /// password.
    ///
    /// - Parameter age: the seconds after which the password is confirmed again.
    func token(_ attempts: Attempts, confirmingAfter age: TimeInterval = 540) async throws -> String {
        if session.accessTokenExpiresAt < .now + 60 {
            let task = refresh ?? Task { [session] in try await Self.refreshed(session, attempts) }
            refresh = task
            defer { refresh = nil }
            session = try await task.value
        }
        if let password, confirmedAt < .now - age {
            let task = confirmation ?? Task { [session] in try await Self.confirm(password, session, attempts) }
            confirmation = task
            defer { confirmation = nil }
            try await task.value
            confirmedAt = .now
        }
        return session.accessToken
    }

    private static func confirm(_ password: String, _ session: RemoteSession, _ attempts: Attempts) async throws {
        var random = SplitMix64(seed: .random(in: 0 ... .max))
        try await attempts.send(
            "POST", Contract.confirmSession.endpoint.template.path(),
            body: ConfirmationRequest(password: password).json(), as: BuyerSession(session), random: &random
        ).expect([204])
    }

    private static func refreshed(_ session: RemoteSession, _ attempts: Attempts) async throws -> RemoteSession {
        var random = SplitMix64(seed: .random(in: 0 ... .max))
        return try await attempts.send(
            "POST", Contract.refreshSession.endpoint.template.path(),
            body: RefreshRequest(refreshToken: session.refreshToken).json(), random: &random
        ).value(UserSession.self).remoteSession
    }
}

// MARK: - The record
/// A request with an idempotency key, and its answer.
struct Acknowledged: Sendable {
    let method: String
    let path: String
    let body: Data?
    let key: String
    let answer: Attempts.Answer
    /// The session that may repeat the request: the sender's, or that of the account into which a guest has signed up.
    var buyer: BuyerSession?
}

/// The answers that the shop must keep, and the violations found during a run.
actor Record {
    private(set) var acknowledged: [Acknowledged] = []
    private(set) var violations: [String] = []

    func add(_ more: [Acknowledged]) { acknowledged += more }

    /// Stores a violation, and shows the first ones at once: a run may take an hour.
    func report(_ violation: String) {
        violations.append(violation)
        if violations.count <= 10 { FileHandle.standardError.write(Data("\n\(violation)\n".utf8)) }
    }
}

actor Counts {
    struct Values: Sendable {
        var requests = 0
        /// Requests whose connection ended before the answer.
        var unanswered = 0
        var journeys = 0
        var shopKills = 0
        var providerKills = 0
        var replays = 0
        var charges = 0
        var refunds = 0
        var orders = 0
        var statuses: [String: Int] = [:]

        var answered: Int { requests - unanswered }
        var outcomes: String {
            statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        }
    }

    private(set) var values = Values()
    /// The time at which the killed processes ran again.
    private(set) var lastKill: ContinuousClock.Instant?

    func killed(shops: Int, providers: Int = 0) {
        values.shopKills += shops
        values.providerKills += providers
        lastKill = .now
    }

    func add(_ path: any WritableKeyPath<Values, Int> & Sendable, _ count: Int = 1) { values[keyPath: path] += count }
    func add(outcome: String) { values.statuses[outcome, default: 0] += 1 }
}
