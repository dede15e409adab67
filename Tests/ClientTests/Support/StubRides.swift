import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire
import Synchronization

/// A server of rides without a network. A token is its owner's name; what its connections for events bring, a test says.
final class StubRides: Transport {
    struct State {
        var requests: [NetworkRequest] = []
        var rides: [String: [Ride]] = [:]
        /// What was answered under an idempotency key.
        var answers: [String: NetworkResponse] = [:]
        /// Answers to paths in the place of the server's own, each once.
        var refusals: [String: [NetworkResponse]] = [:]
        var losesAnswers = false
        var isDown = false
        var connections: [StubConnection] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        /// Every request passes here first.
        var gate: (@Sendable (NetworkRequest) async -> Void)?
    }

    private let state = Mutex(State())

    var requests: [NetworkRequest] { state.withLock { $0.requests } }
    /// All for events that there were.
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

    /// Waits for the connection for events that has this place, from 0.
    func connection(_ place: Int = 0) async -> StubConnection {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.connections.count <= place else { return true }
                state.watchers.append((place + 1, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        return connections[place]
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

/// A connection over which events come, for as long as its test likes.
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

    /// A connection, with the answer that its client gets.
    static func make() -> (StubConnection, StreamedResponse) {
        let (stream, pieces) = AsyncStream.makeStream(of: Data.self)
        let reader = PieceReader(stream)
        let body = NetworkBody { () throws(NetworkError) in await reader.next() }
        let response = StreamedResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
        return (StubConnection(pieces), response)
    }

    var hasEnded: Bool { isOver.withLock { $0 } }

    /// Returns when nobody reads any more, or it was cut.
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
