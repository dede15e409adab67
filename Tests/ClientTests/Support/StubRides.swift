import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire
import Synchronization

/// A server of rides without a network. An access token is the owner. The test sends the events of its connections.
final class StubRides: Transport {
    struct State {
        var requests: [NetworkRequest] = []
        var rides: [String: [Ride]] = [:]
        /// Answers by owner and idempotency key.
        var answers: [String: NetworkResponse] = [:]
        /// Answers to paths that replace the server's own, each once.
        var refusals: [String: [NetworkResponse]] = [:]
        var losesAnswers = false
        var isDown = false
        var connections: [StubConnection] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        /// Awaited before each request is handled.
        var gate: (@Sendable (NetworkRequest) async -> Void)?
    }

    private let state = Mutex(State())

    var requests: [NetworkRequest] { state.withLock { $0.requests } }
    /// All connections for events so far.
    var connections: [StubConnection] { state.withLock { $0.connections } }
    var open: Int { connections.count { !$0.hasEnded } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func put(_ ride: Ride, of shopper: Shopper = .ada) {
        change { state in
            state.rides[shopper.owner, default: []].removeAll { $0.id == ride.id }
            state.rides[shopper.owner, default: []].insert(ride, at: 0)
        }
    }

    /// - Parameter request: method and path.
    func requests(_ request: String) -> [NetworkRequest] {
        requests.filter { "\($0.method) \($0.url.path())" == request }
    }

    /// Waits for the connection for events with this index.
    func connection(_ index: Int = 0) async -> StubConnection {
        await withCheckedContinuation { continuation in
            let isConnected = state.withLock { state in
                guard state.connections.count <= index else { return true }
                state.watchers.append((index + 1, continuation))
                return false
            }
            if isConnected { continuation.resume() }
        }
        return connections[index]
    }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        await state.withLock { $0.gate }?(request)
        let isDown = state.withLock { state in
            state.requests.append(request)
            return state.isDown
        }
        guard !isDown else { throw .unreachable("the test's line is down") }
        let path = request.url.path()
        let refusal: NetworkResponse? = state.withLock { state in
            guard state.refusals[path]?.isEmpty == false else { return nil }
            return state.refusals[path]?.removeFirst()
        }
        if let refusal { return StreamedResponse(refusal) }
        if path.hasSuffix("/events") { return connect() }
        let (answer, isLost) = state.withLock { ($0.answer(to: request), $0.losesAnswers) }
        if isLost { throw .timedOut }
        return StreamedResponse(answer)
    }

    private func connect() -> StreamedResponse {
        let (connection, response) = StubConnection.make()
        let ready = state.withLock { state in
            state.connections.append(connection)
            let count = state.connections.count
            defer { state.watchers.removeAll { $0.count <= count } }
            return state.watchers.filter { $0.count <= count }.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
        return response
    }
}

/// A connection for events, which its test sends and ends.
final class StubConnection: Sendable {
    private let pieces: AsyncStream<Data>.Continuation
    private let ended = Gate()
    private let isOver = Mutex(false)

    private init(_ pieces: AsyncStream<Data>.Continuation) {
        self.pieces = pieces
        pieces.onTermination = { [weak self] _ in
            self?.isOver.withLock { $0 = true }
            self?.ended.open()
        }
    }

    /// A connection and the answer that its client receives.
    static func make() -> (StubConnection, StreamedResponse) {
        let (stream, pieces) = AsyncStream.makeStream(of: Data.self)
        let reader = PieceReader(stream)
        let body = NetworkBody { () throws(NetworkError) in await reader.next() }
        let response = StreamedResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
        return (StubConnection(pieces), response)
    }

    var hasEnded: Bool { isOver.withLock { $0 } }

    /// Waits until the client stops reading or the test cuts the connection.
    func end() async { await ended.pass() }

    func send(_ text: String) { pieces.yield(Data(text.utf8)) }
    func cut() { pieces.finish() }

    func status(_ ride: Ride) {
        let update = RideUpdate(
            status: ride.status, driver: ride.driver, etaSeconds: ride.etaSeconds, history: ride.history)
        send("event: status\nid: \(ride.history.count)\ndata: \(Self.json(update))\n\n")
    }

    func position(_ ride: Ride) {
        send("event: position\ndata: \(Self.json(RideUpdate(driver: ride.driver, etaSeconds: ride.etaSeconds)))\n\n")
    }

    private static func json(_ value: some Encodable) -> String { String(decoding: Fixture.data(value), as: UTF8.self) }
}

private actor PieceReader {
    private let stream: AsyncStream<Data>

    init(_ stream: AsyncStream<Data>) {
        self.stream = stream
    }

    func next() async -> Data? {
        await stream.first { _ in true }
    }
}

// MARK: Answers

extension StubRides.State {
    mutating func answer(to request: NetworkRequest) -> NetworkResponse {
        let owner = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
        let key = request.headers["Idempotency-Key"].map { owner + " " + $0 }
        if let key, let answer = answers[key] { return answer }
        let answer = perform(request, owner)
        if let key, (200..<300).contains(answer.status) { answers[key] = answer }
        return answer
    }

    private mutating func perform(_ request: NetworkRequest, _ owner: String) -> NetworkResponse {
        let path = request.url.path().split(separator: "/").dropFirst().map(String.init)
        switch (request.method, path.first, path.count) {
        case ("POST", "sessions", 1): return .json(Shopper.bea.session, status: 201)
        case ("DELETE", "sessions", _): return NetworkResponse(status: 204)
        case ("GET", "ride", _): return lookUp(path.last ?? "")
        case ("POST", "ride", _): return .json(Page(items: [Fixture.quote]))
        case ("GET", "rides", 1): return .json(Page(items: rides[owner] ?? []))
        case ("POST", "rides", 1):
            let ride = Fixture.ride(.requested, id: "rid_\((rides[owner]?.count ?? 0) + 1)")
            rides[owner, default: []].insert(ride, at: 0)
            return .json(ride, status: 201)
        default: return ride(path, owner)
        }
    }

    private func lookUp(_ list: String) -> NetworkResponse {
        switch list {
        case "places": .json(Page(items: [Fixture.operaHouse]))
        default: .json(Page(items: [Fixture.wallaby]))
        }
    }

    private mutating func ride(_ path: [String], _ owner: String) -> NetworkResponse {
        guard let ride = rides[owner]?.first(where: { $0.id == path[1] }) else { return .problem(.notFound) }
        switch path.dropFirst(2).first {
        case "cancel":
            guard ride.status.isCancellable else { return .problem(.notCancellable) }
            let cancelled = ride.next(.cancelledByRider)
            rides[owner] = rides[owner]?.map { $0.id == ride.id ? cancelled : $0 }
            return .json(cancelled)
        case "receipt":
            return ride.status == .completed ? .json(Fixture.receipt(of: ride)) : .problem(.rideNotCompleted)
        default: return .json(ride)
        }
    }
}
