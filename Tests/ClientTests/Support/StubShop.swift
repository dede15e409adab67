import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire
import Synchronization

/// A shop's server without a network: carts, one kind of checkout, and idempotency keys by principal. Its connection can
/// break before or after the effect.
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

    fileprivate struct State {
        var line = Line.up
        var carts: [String: [Item]] = [:]
        var versions: [String: Int] = [:]
        var prices: [String: Int64] = [:]
        var stock: [String: Int] = [:]
        var answers: [String: NetworkResponse] = [:]
        var orders: [String: [Order]] = [:]
        var requests: [NetworkRequest] = []
        var effects: [String] = []
        var underWay = 0
        var mostUnderWay = 0
    }

    private let state = Mutex(State())
    /// Every request passes here first.
    private let gate: (@Sendable (NetworkRequest) async -> Void)?

    init(gate: (@Sendable (NetworkRequest) async -> Void)? = nil) {
        self.gate = gate
    }

    var line: Line {
        get { state.withLock { $0.line } }
        set { state.withLock { $0.line = newValue } }
    }

    /// What arrived at the server, in order.
    var requests: [NetworkRequest] { state.withLock { $0.requests } }
    /// What was done, each in a word, as `add a 2`.
    var effects: [String] { state.withLock { $0.effects } }
    /// The most requests at once.
    var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

    func items(of owner: String) -> [String] {
        state.withLock { state in (state.carts[owner] ?? []).map { "\($0.sku) \($0.quantity)" } }
    }

    func setPrice(_ sku: String, _ cents: Int64) { state.withLock { $0.prices[sku] = cents } }
    func setStock(_ sku: String, _ units: Int) { state.withLock { $0.stock[sku] = units } }
    func put(_ items: [Item], into owner: String) { state.withLock { $0.carts[owner] = items } }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        await gate?(request)
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

extension StubShop.State {
    fileprivate mutating func handle(_ request: NetworkRequest) -> NetworkResponse {
        requests.append(request)
        let owner = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
        let key = request.headers["Idempotency-Key"].map { owner + " " + $0 }
        if let key, let answer = answers[key] { return answer }
        let answer = perform(request, owner)
        if let key, request.method == "POST", (200..<300).contains(answer.status) { answers[key] = answer }
        return answer
    }

    private mutating func perform(_ request: NetworkRequest, _ owner: String) -> NetworkResponse {
        let path = request.url.path()
        let sku = request.url.lastPathComponent
        switch (request.method, path) {
        case ("GET", "/health/ready"): return .json(["status": "ok"])
        case ("POST", "/v1/sessions/guest"): return .json(Shopper.guest.session, status: 201)
        case ("POST", "/v1/sessions"):
            merge(owner)
            return .json(Shopper.ada.session, status: 201)
        case ("DELETE", "/v1/sessions/current"): return NetworkResponse(status: 204)
        case ("GET", "/v1/cart"): return .json(cart(owner))
        case ("DELETE", "/v1/cart"):
            carts[owner] = []
            return changed(owner, "clear")
        case ("POST", "/v1/cart/lines"):
            guard let line = body(LineRequest.self, request) else { return .problem(.validationFailed) }
            let sum = quantity(line.sku, owner) + line.quantity
            if let refusal = refusal(line.sku, sum) { return refusal }
            set(line.sku, sum, owner)
            return changed(owner, "add \(line.sku) \(line.quantity)")
        case ("PUT", _) where path.hasPrefix("/v1/cart/lines/"):
            guard let line = body(QuantityRequest.self, request) else { return .problem(.validationFailed) }
            if let refusal = refusal(sku, line.quantity) { return refusal }
            set(sku, line.quantity, owner)
            return changed(owner, "set \(sku) \(line.quantity)")
        case ("DELETE", _) where path.hasPrefix("/v1/cart/lines/"):
            set(sku, 0, owner)
            return changed(owner, "remove \(sku)")
        case ("POST", "/v1/cart/checkout"), ("POST", "/v1/orders"):
            if path == "/v1/cart/checkout" { carts[owner] = [] }
            let order = Fixture.order(id: "ord_\(effects.count)")
            orders[owner, default: []].append(order)
            effects.append("order")
            return .json(order, status: 201)
        case ("GET", "/v1/orders"): return .json(Page(items: orders[owner] ?? []))
        default: return .problem(.notFound)
        }
    }

    private func body<Body: Decodable>(_ type: Body.Type, _ request: NetworkRequest) -> Body? {
        request.body.flatMap { try? WireJSON.decode(type, from: $0) }
    }

    private func quantity(_ sku: String, _ owner: String) -> Int {
        carts[owner]?.first { $0.sku == sku }?.quantity ?? 0
    }

    private func refusal(_ sku: String, _ quantity: Int) -> NetworkResponse? {
        guard let units = stock[sku], quantity > units else { return nil }
        return .problem(.outOfStock) { problem in
            ProblemDetails(problem, lines: [StockShortfall(sku: sku, available: units)])
        }
    }

    private mutating func set(_ sku: String, _ quantity: Int, _ owner: String) {
        let index = carts[owner]?.firstIndex { $0.sku == sku }
        if let index, quantity > 0 {
            carts[owner]?[index].quantity = quantity
        } else if let index {
            carts[owner]?.remove(at: index)
        } else if quantity > 0 {
            carts[owner, default: []].append(StubShop.Item(sku: sku, quantity: quantity))
        }
    }

    private mutating func changed(_ owner: String, _ effect: String) -> NetworkResponse {
        versions[owner, default: 0] += 1
        effects.append(effect)
        return .json(cart(owner))
    }

    private func cart(_ owner: String) -> Cart {
        let lines = (carts[owner] ?? []).map { item in
            let price = Fixture.euros(prices[item.sku] ?? 1000)
            return Fixture.line(item.sku, item.quantity, price: price)
        }
        return Fixture.cart(
            id: "crt_" + owner, version: versions[owner] ?? 0, total: lines.reduce(0) { $0 + $1.lineTotal.amount },
            lines: lines)
    }

    /// A guest's cart goes over to the account.
    private mutating func merge(_ guest: String) {
        for item in carts.removeValue(forKey: guest) ?? [] {
            set(item.sku, quantity(item.sku, Shopper.ada.owner) + item.quantity, Shopper.ada.owner)
        }
        versions[Shopper.ada.owner, default: 0] += 1
    }
}

/// Somebody whose token is their owner's name, which is what the stub goes by.
enum Shopper {
    case guest
    case ada
    case bea

    var owner: String {
        switch self {
        case .guest: "ses_guest"
        case .ada: "acc_ada"
        case .bea: "acc_bea"
        }
    }

    var session: UserSession {
        switch self {
        case .guest: Fixture.session(owner, id: owner, account: nil)
        case .ada, .bea: Fixture.session(owner, id: "ses_of_" + owner, account: owner)
        }
    }
}
