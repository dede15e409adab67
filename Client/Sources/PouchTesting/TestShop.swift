import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchNetwork
import PouchWire
import Synchronization

/// A shop and its rides in memory, for tests without a server:
///
///     let shop = TestShop(products: [.sample(sku: "hat-1", price: 19_00, stock: 3)])
///     let pouch = Pouch(testing: shop)
///     try await pouch.cart.add(sku: "hat-1")
///     #expect(pouch.cart.state?.cart.unitCount == 1)
///
/// It is a transport that answers by the contract, so that everything above it is real: sessions, the queue of edits,
/// idempotency keys, the conversion to the model. The shop stores accounts, carts, stock, orders and rides, and answers
/// with the bounds and the problems of the server.
///
/// It omits everything that requires a time of day or a map: tokens, discounts, quotes and holds of stock do not
/// expire, rides do not change orders, and every shipping method serves every address. It calculates no taxes, does not
/// split a discount among the lines, checks neither `If-Match` nor the number of failed sign-ins and requested e-mails,
/// accepts common passwords, and does not allow typos in a search. A sign-in with an unknown address creates the
/// account.
///
/// Failures are scripted, and every request is recorded:
///
///     shop.failNext(Contract.addCartLine, with: .problem(.outOfStock))
///     shop.connection = .down
///     #expect(shop.requests(to: Contract.addCartLine).count == 1)
public final class TestShop: Transport {
    /// The connection to the shop.
    public enum Connection: Sendable {
        case up
        /// There is no connection: requests are not sent, and clients know it.
        case down
        /// Requests are lost in transit. Clients cannot distinguish this from `losesAnswers`.
        case losesRequests
        /// Requests take effect, and the answers are lost.
        case losesAnswers
        /// The server answers that it is overloaded.
        case busy
    }

    /// A failure of one request.
    public enum Failure: Sendable {
        /// The shop refuses the request, with a sentence for the user as `detail`.
        case problem(ProblemCode, detail: String? = nil)
        /// The request does not arrive. With `.unreachable`, clients know that nothing was sent; with `.connectionLost`
        /// and `.timedOut`, they cannot distinguish this from `lostAnswer`.
        case network(NetworkError)
        /// The request takes effect, and the answer is lost.
        case lostAnswer
        /// Another program, such as a gateway, answers instead of the shop.
        case answer(NetworkResponse)
    }

    public typealias Handler = @Sendable (_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse

    fileprivate struct State {
        var world: World
        var connection = Connection.up
        var answersAlone: Bool
        var failures: [(endpoint: Endpoint?, failure: Failure)] = []
        var handlers: [Endpoint: Handler] = [:]
        var holds: [Endpoint: Gate] = [:]
        /// A pause in which other requests can arrive before the answer, as over a network.
        var latency: @Sendable () async -> Void = { await Task.yield() }
        var requests: [NetworkRequest] = []
        var unanswered: [String] = []
        var underWay = 0
        var peakConcurrency = 0
    }

    private let state: Mutex<State>
    /// The connections for events of rides.
    let streams = RideStreams()

    /// - Parameters:
    ///   - products: the catalogue, newest first. `available` of each variant is its initial stock.
    ///   - sellsAnySKU: whether the cart accepts SKUs that the catalogue does not have, each unit for 1,000 minor units
    ///     of the currency of the first product, or of the euro.
    public init(products: [Product] = [.sample()], sellsAnySKU: Bool = false) {
        state = Mutex(
            State(world: World(products: products, sellsAnySKU: sellsAnySKU), answersAlone: true))
    }

    /// A shop that answers only requests for which the test provides an `answer`. It refuses any other request: the
    /// error's description names it, and `unanswered` lists it.
    public static func unimplemented() -> TestShop {
        let shop = TestShop(products: [])
        shop.state.withLock { $0.answersAlone = false }
        return shop
    }

    // MARK: The shop's data

    /// The catalogue, carts, orders and rides as they are now.
    public var world: World { state.withLock { $0.world } }

    /// Changes the world in one step. Clients are not notified, as with a change on a server.
    public func change(_ change: (inout World) -> Void) { state.withLock { change(&$0.world) } }

    /// Sets the number of units of a SKU that can be bought.
    public func setStock(_ sku: String, _ units: Int) { change { $0.stock[sku] = units } }

    /// Sets the price of a unit, in minor units.
    public func setPrice(_ sku: String, _ amount: Int64) { change { $0.prices[sku] = amount } }

    /// The lines of an owner's cart in short form, such as `hat-1 2`.
    ///
    /// - Parameter owner: the id of an account or of a guest's session; by default that of the sample account.
    public func items(of owner: String = Profile.sample().id) -> [String] {
        (world.carts[owner] ?? []).map { "\($0.sku) \($0.quantity)" }
    }

    // MARK: Scripts

    public var connection: Connection {
        get { state.withLock { $0.connection } }
        set { state.withLock { $0.connection = newValue } }
    }

    /// Lets the next request fail, or the next one to an endpoint. Several failures apply in order, each once.
    public func failNext(_ exchange: (any AnyExchange)? = nil, with failure: Failure) {
        state.withLock { $0.failures.append((exchange?.endpoint, failure)) }
    }

    /// Answers all further requests to an endpoint with a value.
    ///
    ///     shop.answer(Contract.seasons, with: Page(items: [.sample()]))
    ///
    /// The answer is not checked against the world, so the request needs no session.
    public func answer<Body, Answer: JSONCodable>(_ exchange: Exchange<Body, Answer>, with answer: Answer) {
        let response = NetworkResponse.json(answer, status: exchange.status)
        self.answer(exchange) { _ in response }
    }

    /// Answers all further requests to an endpoint with a closure.
    public func answer(_ exchange: some AnyExchange, _ handler: @escaping Handler) {
        state.withLock { $0.handlers[exchange.endpoint] = handler }
    }

    /// Ends `answer` and `hold` for further requests to an endpoint: the shop answers them itself, immediately.
    /// Requests that are already held remain so until their gate is opened.
    public func answerItself(_ exchange: some AnyExchange) {
        state.withLock { state in
            state.handlers[exchange.endpoint] = nil
            state.holds[exchange.endpoint] = nil
        }
    }

    /// Holds all further requests to an endpoint until the gate is opened, for example to test a screen while it loads.
    public func hold(_ exchange: some AnyExchange) -> Gate {
        let gate = Gate()
        state.withLock { $0.holds[exchange.endpoint] = gate }
        return gate
    }

    /// Delays each request, measured by the test's clock.
    public func setLatency(_ duration: Duration, on clock: any Clock<Duration>) {
        state.withLock { $0.latency = { try? await clock.sleep(for: duration) } }
    }

    // MARK: Records

    /// The requests that clients sent, in order, including those that did not arrive because of a script.
    public var requests: [NetworkRequest] { state.withLock { $0.requests } }

    public func requests(to exchange: some AnyExchange) -> [NetworkRequest] {
        requests.filter { Endpoint($0) == exchange.endpoint }
    }

    /// The effects of requests so far in short form, such as `add hat-1 2`, `set hat-1 1`, `order ord_1`.
    public var effects: [String] { state.withLock { $0.world.effects } }

    /// The names of the endpoints of requests that the shop refused because it does not have them, in order. A test
    /// that expects none catches a refusal that the code under test hides.
    public var unanswered: [String] { state.withLock { $0.unanswered } }

    /// The maximum number of concurrent requests so far.
    public var peakConcurrency: Int { state.withLock { $0.peakConcurrency } }

    // MARK: Answering

    public func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        let endpoint = Endpoint(request)
        let (latency, hold, handler) = state.withLock { state in
            state.requests.append(request)
            state.underWay += 1
            state.peakConcurrency = max(state.peakConcurrency, state.underWay)
            return (state.latency, endpoint.flatMap { state.holds[$0] }, endpoint.flatMap { state.handlers[$0] })
        }
        defer { state.withLock { $0.underWay -= 1 } }
        await latency()
        await hold?.pass()
        if Task.isCancelled { throw .cancelled }
        let failure = state.withLock { $0.failure(for: endpoint) }
        switch failure {
        case .network(let error): throw error
        case .answer(let answer): return StreamedResponse(answer)
        case .problem(let code, let detail): return StreamedResponse(.problem(code, detail: detail))
        case .lostAnswer, nil: break
        }
        let response = try await response(to: request, endpoint, handler)
        if case .lostAnswer? = failure { throw .timedOut }
        return response
    }

    private func response(
        to request: NetworkRequest, _ endpoint: Endpoint?, _ handler: Handler?
    ) async throws(NetworkError) -> StreamedResponse {
        if let handler { return StreamedResponse(try await handler(request)) }
        guard let endpoint else { return StreamedResponse(.problem(.notFound)) }
        return state.withLock { state in
            if state.answersAlone {
                let call = TestCall(request, to: endpoint)
                if let answer = state.world.answer(to: call) { return StreamedResponse(answer) }
                if endpoint == Contract.rideEvents.endpoint { return state.world.connect(call, streams) }
            }
            state.unanswered.append(endpoint.name)
            let text = "\(endpoint.name) (\(request.method) \(request.url.path()))"
            return StreamedResponse(
                .problem(
                    .methodNotAllowed,
                    detail: "The test provides no answer to \(text): "
                        + "call answer(Contract.\(endpoint.name)) on the TestShop."))
        }
    }
}

extension TestShop.State {
    /// The failure of a request, which applies only once.
    fileprivate mutating func failure(for endpoint: Endpoint?) -> TestShop.Failure? {
        if let index = failures.firstIndex(where: { $0.endpoint == nil || $0.endpoint == endpoint }) {
            return failures.remove(at: index).failure
        }
        return switch connection {
        case .up: nil
        case .down: .network(.unreachable("the test's connection is down"))
        case .losesRequests: .network(.timedOut)
        case .losesAnswers: .lostAnswer
        case .busy: .problem(.overloaded)
        }
    }
}

extension Endpoint {
    /// The endpoint of a request; nil for a path that the contract does not have.
    init?(_ request: NetworkRequest) {
        let found = Endpoint.at(request.url.path()).first { $0.method.rawValue == request.method }
        guard let found else { return nil }
        self = found
    }
}
