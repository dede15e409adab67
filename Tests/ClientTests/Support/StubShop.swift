import Foundation
import PouchEntities
import PouchNetwork
import PouchWire
import Synchronization

/// A shop's server without a network: a small catalogue, and carts, orders and idempotency keys by principal. Its
/// connection can break before or after the effect.
final class StubShop: Transport {
    enum Line: Sendable {
        case up
        /// Nothing arrives.
        case down
        /// The effect is done, and the answer lost.
        case losesAnswers
        /// The server answers that it has too much to do.
        case busy
    }

    struct Item: Sendable {
        var sku: String
        var quantity: Int
    }

    struct State {
        var line = Line.up
        var products = [StubShop.rosa, StubShop.lily]
        /// Products of a page.
        var pageSize = 20
        var carts: [String: [Item]] = [:]
        var versions: [String: Int] = [:]
        var shipping: [String: Shipping] = [:]
        /// What a unit costs where it is not 10.00.
        var prices: [String: Int64] = [:]
        var stock: [String: Int] = [:]
        /// Answers to paths in the place of the shop's own.
        var refusals: [String: NetworkResponse] = [:]
        /// What was answered under an idempotency key.
        var answers: [String: NetworkResponse] = [:]
        var orders: [String: [Order]] = [:]
        /// Of an order that is placed.
        var orderStatus = OrderStatus.paid
        /// Of an order that is placed, or is to be delivered otherwise.
        var rideId: String?
        var addresses = [StubShop.home]
        var requests: [NetworkRequest] = []
        var effects: [String] = []
        var underWay = 0
        var mostUnderWay = 0
        /// Every request passes here first.
        var gate: (@Sendable (NetworkRequest) async -> Void)?
    }

    private let state = Mutex(State())

    init(gate: (@Sendable (NetworkRequest) async -> Void)? = nil) {
        state.withLock { $0.gate = gate }
    }

    var line: Line {
        get { state.withLock { $0.line } }
        set { state.withLock { $0.line = newValue } }
    }

    /// What arrived at the server, in order.
    var requests: [NetworkRequest] { state.withLock { $0.requests } }
    /// What was done to carts, and each purchase, in a word, as `add a 2`.
    var effects: [String] { state.withLock { $0.effects } }
    /// The most requests at once.
    var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

    /// - Parameter request: method and path.
    func requests(_ request: String) -> Int {
        requests.count { "\($0.method) \($0.url.path())" == request }
    }

    func items(of owner: String) -> [String] {
        state.withLock { state in (state.carts[owner] ?? []).map { "\($0.sku) \($0.quantity)" } }
    }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    func setPrice(_ sku: String, _ cents: Int64) { change { $0.prices[sku] = cents } }
    func setStock(_ sku: String, _ units: Int) { change { $0.stock[sku] = units } }
    func put(_ items: [Item], into owner: String) { change { $0.carts[owner] = items } }

    /// Holds the requests to a path.
    func hold(_ path: String, at gate: Gate) {
        change { $0.gate = { request in if request.url.path() == path { await gate.pass() } } }
    }

    /// Holds no request that is still to come.
    func letPass() { change { $0.gate = nil } }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        await state.withLock { $0.gate }?(request)
        let (line, answer): (Line, NetworkResponse) = state.withLock { state in
            state.underWay += 1
            state.mostUnderWay = max(state.mostUnderWay, state.underWay)
            switch state.line {
            case .down: return (state.line, .text(""))
            case .busy: return (state.line, .problem(.overloaded))
            case .up, .losesAnswers: return (state.line, state.handle(request))
            }
        }
        await Task.yield()
        state.withLock { $0.underWay -= 1 }
        switch line {
        case .up, .busy: return StreamedResponse(answer)
        case .down: throw .unreachable("the test's line is down")
        case .losesAnswers: throw .timedOut
        }
    }
}
