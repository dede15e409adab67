import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire
import Synchronization

/// A small shop behind a stub transport: a catalogue, and carts and orders of whoever is signed in.
final class SmallShop: Sendable {
    struct State {
        var products = [SmallShop.rosa, SmallShop.lily]
        /// Products of a page.
        var pageSize = 20
        /// Units by SKU, by session.
        var carts: [String: [String: Int]] = [:]
        var shipping: [String: Shipping] = [:]
        var versions: [String: Int] = [:]
        var orders: [String: [Order]] = [:]
        /// What one unit of anything costs.
        var price: Int64 = 1000
        /// Answers to paths in the place of the shop's own.
        var refusals: [String: NetworkResponse] = [:]
        var isDown = false
        /// The effect is done, and the answer does not come back.
        var losesAnswers = false
        /// What was answered under an idempotency key.
        var answers: [String: NetworkResponse] = [:]
        var addresses = [SmallShop.home]
        /// Of an order that is placed.
        var orderStatus = OrderStatus.paid
        var gates: [String: Gate] = [:]
    }

    static let rosa = product("rosa", [:])
    static let lily = product("lily", ["Colour": ["Navy", "Red"], "Size": ["S", "M"]])

    private let state = Mutex(State())
    private let log = Mutex<[String]>([])

    /// Method and path of each request, in order.
    var requests: [String] { log.withLock { $0 } }

    func requests(_ request: String) -> Int { requests.count { $0 == request } }

    func change(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    var transport: StubTransport {
        StubTransport { [self] request throws(NetworkError) in
            let path = request.url.path()
            log.withLock { $0.append("\(request.method) \(path)") }
            if let gate = state.withLock({ $0.gates[path] }) { await gate.pass() }
            let (answer, isLost) = state.withLock { (answerOnce(request, path, &$0), $0.losesAnswers) }
            guard let answer else { throw .unreachable("the shop is down") }
            guard !isLost else { throw .timedOut }
            return answer
        }
    }

    // MARK: Answers

    private func answerOnce(_ request: NetworkRequest, _ path: String, _ state: inout State) -> NetworkResponse? {
        guard !state.isDown, let key = request.headers["Idempotency-Key"] else { return answer(request, path, &state) }
        if let answer = state.answers[key] { return answer }
        let answer = answer(request, path, &state)
        if answer?.status == 201 { state.answers[key] = answer }
        return answer
    }

    private func answer(_ request: NetworkRequest, _ path: String, _ state: inout State) -> NetworkResponse? {
        if state.isDown { return nil }
        if let refusal = state.refusals[path] { return refusal }
        let session = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? "nobody"
        let parts = path.split(separator: "/").drop { $0 == "v1" }.map(String.init)
        switch (request.method, parts.first ?? "", parts.dropFirst().first) {
        case ("GET", "seasons", _): return list([Season(id: "s17", name: "Spring 2017")])
        case ("GET", "themes", _): return list([Theme(id: "s17a", name: "Meadow", seasonId: "s17")])
        case ("GET", "categories", _): return list([Category(id: "hats", name: "Hats", productCount: 2)])
        case ("GET", "promotions", _):
            return list(
                state.products.enumerated().map {
                    Promotion(product: $1, image: ProductImage(url: "/a.png", alt: ""), position: $0)
                })
        case ("GET", "products", nil): return .json(page(request, state))
        case ("GET", "products", let handle?):
            return state.products.first { $0.handle == handle }.map { .json($0) } ?? .problem(.notFound)
        case ("GET", "availability", _):
            let variants = state.products.flatMap(\.variants)
            return list(variants.map { Availability(sku: $0.sku, price: $0.price, available: 7) })
        case ("POST", "sessions", "guest"): return .json(Self.guest, status: 201)
        case ("POST", "sessions", nil), ("POST", "accounts", nil):
            // A guest's cart goes over to the account.
            state.carts["ada", default: [:]].merge(state.carts.removeValue(forKey: "guest") ?? [:], uniquingKeysWith: +)
            return .json(Self.ada, status: 201)
        case ("DELETE", "sessions", _): return NetworkResponse(status: 204)
        case ("GET", "account", "addresses"): return list(state.addresses)
        case ("POST", "account", "addresses"):
            guard let address = request.body.flatMap({ try? WireJSON.decode(Address.self, from: $0) }) else {
                return .problem(.validationFailed)
            }
            state.addresses.append(address)
            return .json(address, status: 201)
        case ("GET", "account", nil), ("PATCH", "account", nil): return .json(Self.ada.profile)
        case ("DELETE", "account", nil), (_, "account", "password"): return NetworkResponse(status: 204)
        case ("GET", "health", _): return .json(["status": "ok"])
        case ("GET", "cart", "shipping-methods"?): return list([Self.standard])
        case (_, "cart", _): return cart(request, Array(parts.dropFirst()), session, &state)
        case (_, "orders", _): return order(request, Array(parts.dropFirst()), session, &state)
        default: return .problem(.notFound)
        }
    }

    private func list<Item: Codable & Sendable>(_ items: [Item]) -> NetworkResponse { .json(Page(items: items)) }

    private func page(_ request: NetworkRequest, _ state: State) -> ProductPage {
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        let found = state.products.filter { $0.name.hasPrefix(value("q") ?? "") }
        let start = value("cursor").flatMap(Int.init) ?? 0
        let end = min(start + state.pageSize, found.count)
        return ProductPage(
            items: Array(found[start..<end]), nextCursor: end < found.count ? "\(end)" : nil,
            facets: value("facets") == nil
                ? nil : [Facet(name: "category", values: [Facet.Value(value: "hats", count: found.count)])])
    }

    private func cart(
        _ request: NetworkRequest, _ parts: [String], _ session: String, _ state: inout State
    ) -> NetworkResponse {
        func body<Body: Decodable>(_ type: Body.Type) -> Body? {
            request.body.flatMap { try? WireJSON.decode(type, from: $0) }
        }
        if request.method != "GET" { state.versions[session, default: 0] += 1 }
        switch (request.method, parts.first, parts.dropFirst().first) {
        case ("POST", "lines", _):
            guard let line = body(LineRequest.self) else { return .problem(.validationFailed) }
            state.carts[session, default: [:]][line.sku, default: 0] += line.quantity
        case ("PUT", "lines", let sku?): state.carts[session]?[sku] = body(QuantityRequest.self)?.quantity
        case ("DELETE", "lines", let sku?): state.carts[session]?[sku] = nil
        case ("DELETE", nil, _): state.carts[session] = [:]
        case ("PUT", "shipping", _):
            guard let delivery = body(Delivery.self) else { return .problem(.validationFailed) }
            state.shipping[session] = Shipping(
                methodId: delivery.methodId, address: delivery.address, price: Fixture.euros(500))
        case ("POST", "checkout", _):
            guard let wanted = body(CheckoutRequest.self) else { return .problem(.validationFailed) }
            let cart = Self.cart(session, state)
            guard wanted.expectedTotal == cart.totals.total else { return .problem(.priceChanged) }
            state.carts[session] = [:]
            return place(session, &state)
        default: break
        }
        return .json(Self.cart(session, state))
    }

    private func order(
        _ request: NetworkRequest, _ parts: [String], _ session: String, _ state: inout State
    ) -> NetworkResponse {
        switch (request.method, parts.first) {
        case ("POST", "preview"):
            let total = Fixture.euros(state.price)
            let line = Self.line("rosa-1", 1, state.price)
            return .json(OrderPreview(lines: [line], methods: [Self.standard], totals: Self.totals(total)))
        case ("POST", nil): return place(session, &state)
        case ("GET", nil): return list(state.orders[session] ?? [])
        case ("GET", let id?):
            return state.orders[session]?.first { $0.id == id }.map { .json($0) } ?? .problem(.notFound)
        case ("POST", let id?):
            state.orders[session] = state.orders[session]?.map {
                $0.id == id ? Fixture.order(id: id, status: .cancelled) : $0
            }
            return .json(Fixture.order(id: id, status: .cancelled))
        default: return .problem(.notFound)
        }
    }

    private func place(_ session: String, _ state: inout State) -> NetworkResponse {
        let order = Fixture.order(
            id: "ord_\((state.orders[session]?.count ?? 0) + 1)", status: state.orderStatus,
            shipping: state.shipping[session])
        state.orders[session, default: []].append(order)
        return .json(order, status: 201)
    }

    private struct Delivery: Decodable {
        let methodId: String
        let address: Address
    }

    // MARK: Values

    static let guest = Fixture.session("guest", expiresIn: 2_000_000_000, id: "ses_guest", account: nil)
    static let ada = Fixture.session("ada", expiresIn: 2_000_000_000, id: "ses_ada")
    static let home = Address(
        id: "adr_1", name: "Ada", line1: "1 Main Rd", city: "Perth", postalCode: "6000", country: "AU")
    static let standard = ShippingMethod(
        id: "standard", name: "Standard", price: Fixture.euros(500), estimate: "in 3 days")

    private static func cart(_ session: String, _ state: State) -> Cart {
        let lines = (state.carts[session] ?? [:]).filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { line($0.key, $0.value, state.price) }
        return Cart(
            id: "crt_\(session)", version: state.versions[session] ?? 0, lines: lines,
            shipping: state.shipping[session],
            totals: totals(Fixture.euros(lines.reduce(0) { $0 + $1.lineTotal.amount })), changes: [],
            updatedAt: Fixture.now)
    }

    private static func line(_ sku: String, _ quantity: Int, _ price: Int64) -> CartLine {
        CartLine(
            sku: sku, productHandle: "rosa", name: sku, image: nil, options: [:], quantity: quantity,
            unitPrice: Fixture.euros(price), lineTotal: Fixture.euros(price * Int64(quantity)),
            discount: Fixture.euros(0), available: 7)
    }

    private static func totals(_ total: Money) -> Totals {
        let zero = Fixture.euros(0)
        return Totals(items: total, discount: zero, shipping: zero, tax: zero, total: total)
    }

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
