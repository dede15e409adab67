import Foundation
import PouchEntities
import PouchNetwork
import PouchWire
import Synchronization

/// A shop's server without a network: a small catalogue, and carts, orders and idempotency keys by owner. Its
/// connection can break before or after the effect of a request.
final class StubShop: Transport {
    enum Line: Sendable {
        case up
        /// Requests do not arrive.
        case down
        /// Requests have their effect, and the answers are lost.
        case losesAnswers
        /// The server answers that it is overloaded.
        case busy
    }

    struct Item: Sendable {
        var sku: String
        var quantity: Int
    }

    struct State {
        var line = Line.up
        var products = [StubShop.rosa, StubShop.lily]
        /// The number of products in a page.
        var pageSize = 20
        var carts: [String: [Item]] = [:]
        var versions: [String: Int] = [:]
        var shipping: [String: Shipping] = [:]
        /// Prices of a unit other than 10.00.
        var prices: [String: Int64] = [:]
        var stock: [String: Int] = [:]
        /// Answers to paths that replace the shop's own.
        var refusals: [String: NetworkResponse] = [:]
        /// Answers by owner and idempotency key.
        var answers: [String: NetworkResponse] = [:]
        var orders: [String: [Order]] = [:]
        /// The status of a new order.
        var orderStatus = OrderStatus.paid
        /// The ride of a new order, and of one whose delivery is changed.
        var rideId: String?
        var addresses = [StubShop.home]
        var requests: [NetworkRequest] = []
        var effects: [String] = []
        var underWay = 0
        var mostUnderWay = 0
        /// Awaited before each request is handled.
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

    /// The requests that arrived, in order.
    var requests: [NetworkRequest] { state.withLock { $0.requests } }
    /// The changes of carts and the purchases, in short, such as `add a 2`.
    var effects: [String] { state.withLock { $0.effects } }
    /// The highest number of requests at the same time.
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

    /// Stops holding requests.
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

// MARK: Catalogue

extension StubShop {
    /// A product with one variant. `lily` has colours and sizes.
    static let rosa = product("rosa", [:])
    static let lily = product("lily", ["Colour": ["Navy", "Red"], "Size": ["S", "M"]])
    static let home = Address(
        id: "adr_1", name: "Ada", line1: "1 Main Rd", city: "Perth", postalCode: "6000", country: "AU")
    static let standard = ShippingMethod(
        id: "standard", name: "Standard", price: Fixture.euros(500), estimate: "in 3 days")

    private static func product(_ handle: String, _ options: [String: [String]]) -> Product {
        let names = options.keys.sorted()
        let choices = names.reduce([[:]]) { choices, name in
            choices.flatMap { choice in
                (options[name] ?? []).map { choice.merging([name: $0]) { $1 } }
            }
        }
        return Product(
            id: "prd_" + handle, handle: handle, name: handle, seasonId: "s17", category: "hats", tags: [],
            price: Fixture.euros(1000),
            options: names.map { ProductOption(name: $0, values: options[$0] ?? []) }, images: [],
            updatedAt: Fixture.now,
            variants: choices.enumerated().map {
                Variant(sku: "\(handle)-\($0 + 1)", options: $1, price: Fixture.euros(1000), available: 1)
            })
    }
}

extension StubShop.State {
    func catalog(_ request: NetworkRequest, _ path: [String]) -> NetworkResponse {
        switch (request.method, path.first, path.dropFirst().first) {
        case ("GET", "seasons", _): return list([Season(id: "s17", name: "Spring 2017")])
        case ("GET", "themes", _): return list([Theme(id: "s17a", name: "Meadow", seasonId: "s17")])
        case ("GET", "categories", _): return list([Category(id: "hats", name: "Hats", productCount: 2)])
        case ("GET", "promotions", _):
            return list(
                products.enumerated().map {
                    Promotion(product: $1, image: ProductImage(url: "/a.png", alt: ""), position: $0)
                })
        case ("GET", "products", nil): return .json(page(request))
        case ("GET", "products", let handle?):
            return products.first { $0.handle == handle }.map { .json($0) } ?? .problem(.notFound)
        case ("GET", "assets", let name?): return .text(name, type: "image/png")
        case ("GET", "availability", _):
            return list(
                products.flatMap(\.variants).map { Availability(sku: $0.sku, price: $0.price, available: 7) })
        default: return .problem(.notFound)
        }
    }

    private func page(_ request: NetworkRequest) -> ProductPage {
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        let found = products.filter { $0.name.hasPrefix(value("q") ?? "") }
        let start = value("cursor").flatMap(Int.init) ?? 0
        let end = min(start + pageSize, found.count)
        return ProductPage(
            items: Array(found[start..<end]), nextCursor: end < found.count ? "\(end)" : nil,
            facets: value("facets") == nil
                ? nil : [Facet(name: "category", values: [Facet.Value(value: "hats", count: found.count)])])
    }
}
