import Foundation
import GRDB
import PouchDomain
import PouchEntities
import PouchJSON

/// A request with an idempotency key, and all answers that its sender has received.
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class KeyedRequest: @unchecked Sendable {
    typealias Work = @Sendable (Server, Principal, IdempotencyRecord.Request) async throws -> StoredAnswer

    let name: String
    let key: String
    let buys: Bool
    let work: Work
    /// The number of days that the clock had skipped when it was sent.
    let night: Int
    private(set) var answer: StoredAnswer?

    init(_ name: String, key: String, night: Int, buys: Bool = false, work: @escaping Work) {
        self.name = name
        self.key = key
        self.night = night
        self.buys = buys
        self.work = work
    }

    func identity(of principal: Principal) -> IdempotencyRecord.Request {
        .init(ownerId: principal.ownerId, key: key, fingerprint: Data(name.utf8))
    }

    /// The e-mail address on the order, which shows the request that placed it.
    var email: String { "\(key)@example.com" }

    fileprivate func take(_ answer: StoredAnswer, _ world: World) {
        guard let first = self.answer else {
            self.answer = answer
            return
        }
        world.count("answers compared")
        world.check(
            (first.code, first.format, first.tag, first.body)
                == (answer.code, answer.format, answer.tag, answer.body),
            "\(name) with the key \(key) was answered with \(first.text), and later with \(answer.text)")
    }
}

extension StoredAnswer {
    var text: String { "\(code) \(String(decoding: body, as: UTF8.self))" }
}

/// The sender of requests, in one session after another.
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class Client: @unchecked Sendable {
    let world: World
    let fleet: Fleet
    let name: String
    /// The number of the person in the notes.
    let person: Int
    var principal: Principal? { didSet { if let principal { owners.append(principal.ownerId) } } }
    /// Of carts and orders, under all sessions.
    private(set) var owners: [String] = []
    private(set) var requests: [KeyedRequest] = []
    /// The orders that it has asked to cancel.
    var cancelled: Set<String> = []
    private var lastKey = 0

    init(_ name: String, person: Int, _ world: World, _ fleet: Fleet, principal: Principal? = nil) {
        self.name = name
        self.person = person
        self.world = world
        self.fleet = fleet
        self.principal = principal
    }

    // MARK: Requests with a key
    /// Sends a request with a new key until it is answered, as the SDK does; the network may double it.
    ///
    /// - Returns: the answer; nil when it was refused, or remained without an answer.
    @discardableResult
    func send(_ name: String, buys: Bool = false, _ work: @escaping KeyedRequest.Work) async -> StoredAnswer? {
        lastKey += 1
        let request = KeyedRequest(
            "\(self.name): \(name)", key: "\(self.name)-\(lastKey)", night: world.nights, buys: buys, work: work)
        requests.append(request)
        if world.happens(.doubledMessage) {
            world.later { [self, principal] in _ = await deliver(request, as: principal) }
        }
        for _ in 0..<5 {
            if let outcome = await deliver(request, as: principal) { return try? outcome.get() }
            await world.pause(world.below(10))
        }
        world.count("requests given up")
        return nil
    }

    func repeatOne() async {
        guard let request = world.one(of: requests) else { return }
        _ = await deliver(request, as: principal)
    }

    /// Sends every answered request again, and compares the answers.
    func repeatAll() async {
        for request in requests where request.answer != nil && request.night == world.nights {
            switch await deliver(request, as: principal) {
            case .success: break
            case .failure(let error): world.violation("\(request.name): the replay was refused: \(error)")
            case nil: world.violation("\(request.name): the replay has no answer")
            }
        }
    }

    /// Sends the request once, unless its answer may have expired.
    ///
    /// - Returns: the answer or refusal; nil if the request has to be sent again.
    private func deliver(
        _ request: KeyedRequest, as principal: Principal?
    ) async -> Result<StoredAnswer, DomainError>? {
        guard request.night == world.nights, let principal, !world.happens(.lostMessage) else { return nil }
        world.requestsUnderWay += 1
        defer { world.requestsUnderWay -= 1 }
        guard let server = await fleet.server() else { return nil }
        let wasAnswered = request.answer != nil
        world.tell("\(request.name) (\(request.key)) → server \(server.life.number)")
        do {
            let work = Task { try await request.work(server, principal, request.identity(of: principal)) }
            if world.happens(.disconnect) { world.later { work.cancel() } }
            let answer = try await work.value
            world.tell("\(request.name) (\(request.key)) is answered: \(answer.text)")
            request.take(answer, world)
            return world.happens(.lostMessage) ? nil : .success(answer)
        } catch DomainError.idempotencyKeyInUse {
            world.check(!wasAnswered, "\(request.name): the key is in use again after an answer")
            return nil
        } catch let refusal as DomainError {
            world.tell("\(request.name) (\(request.key)) is refused: \(refusal)")
            world.count("refusals")
            // A guest who has signed in is unauthenticated; the account then gets the stored answer.
            world.check(
                !wasAnswered || refusal == .unauthenticated,
                "\(request.name): was answered, and refused later: \(refusal)")
            return .failure(refusal)
        } catch {
            world.tell("\(request.name) (\(request.key)) fails: \(error)")
            world.expect(error, in: request.name)
            return nil
        }
    }

    // MARK: Requests without a key
    /// Sends a request once. Returns nil when it failed or was refused.
    func once<Value: Sendable>(
        _ name: String, _ work: @Sendable (Server, Principal) async throws -> Value
    ) async -> Value? {
        guard let principal, !world.happens(.lostMessage), let server = await fleet.server() else { return nil }
        world.tell("\(self.name): \(name) → server \(server.life.number)")
        do {
            return try await work(server, principal)
        } catch let refusal as DomainError {
            world.tell("\(self.name): \(name) is refused: \(refusal)")
            world.count("refusals")
        } catch {
            world.tell("\(self.name): \(name) fails: \(error)")
            world.expect(error, in: name)
        }
        return nil
    }
}

extension Server {
    /// One write transaction with its idempotency record, as the routes run it.
    func transact(
        _ principal: Principal, _ request: IdempotencyRecord.Request,
        _ handler: @escaping @Sendable (any Repositories) throws -> any JSONCodable
    ) async throws -> StoredAnswer {
        try await store.write(.readCommitted) { repositories in
            try principal.checkSession(.readCommitted, in: repositories)
            if let answer = try idempotency.begin(request, in: repositories) { return answer }
            let body = try handler(repositories).json()
            let answer = StoredAnswer(code: 200, format: "application/json", tag: nil, body: body)
            try idempotency.complete(request, answer: answer, in: repositories)
            return answer
        }
    }
}

extension World {
    /// Reports an error that the faults of the run do not explain.
    func expect(_ error: any Error, in name: String) {
        let isExplained =
            switch error {
            case is ServerLife.Ended, is OverloadError, is UnavailableError, is CommitUnknownError: true
            // Of a client who has disconnected.
            case is CancellationError: true
            case let error as DatabaseError: error.resultCode == .SQLITE_FULL
            // Internal to the imports: the import counted as dead while it was received.
            default: "\(type(of: error))" == "ImportLost"
            }
        check(isExplained, "\(name) failed with \(String(reflecting: error))")
    }
}
