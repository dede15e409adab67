import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire

extension StubShop.State {
    mutating func handle(_ request: NetworkRequest) -> NetworkResponse {
        requests.append(request)
        let owner = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
        let key = request.headers["Idempotency-Key"].map { owner + " " + $0 }
        if let key, let answer = answers[key] { return answer }
        let answer = refusals[request.url.path()] ?? perform(request, owner)
        if let key, request.method == "POST", (200..<300).contains(answer.status) { answers[key] = answer }
        return answer
    }

    private mutating func perform(_ request: NetworkRequest, _ owner: String) -> NetworkResponse {
        let parts = request.url.path().split(separator: "/").drop { $0 == "v1" }.map(String.init)
        let rest = Array(parts.dropFirst())
        switch parts.first {
        case "health": return .json(["status": "ok"])
        case "sessions", "accounts": return session(request, rest, owner)
        case "account": return account(request, rest)
        case "cart": return cart(request, rest, owner)
        case "orders": return order(request, rest, owner)
        default: return catalog(request, parts)
        }
    }

    func list<Item: Codable & Sendable>(_ items: [Item]) -> NetworkResponse { .json(Page(items: items)) }

    private func body<Body: Decodable>(_ type: Body.Type, _ request: NetworkRequest) -> Body? {
        request.body.flatMap { try? WireJSON.decode(type, from: $0) }
    }

    // MARK: Accounts

    private mutating func session(_ request: NetworkRequest, _ path: [String], _ owner: String) -> NetworkResponse {
        switch (request.method, path.first) {
        case ("POST", "guest"): return .json(Shopper.guest.session, status: 201)
        case ("POST", nil):
            merge(owner)
            return .json(Shopper.ada.session, status: 201)
        case ("DELETE", _): return NetworkResponse(status: 204)
        default: return .problem(.notFound)
        }
    }

    /// Moves a guest's cart to the account.
    private mutating func merge(_ guest: String) {
        for item in carts.removeValue(forKey: guest) ?? [] {
            set(item.sku, quantity(item.sku, Shopper.ada.owner) + item.quantity, Shopper.ada.owner)
        }
        versions[Shopper.ada.owner, default: 0] += 1
    }

    private mutating func account(_ request: NetworkRequest, _ path: [String]) -> NetworkResponse {
        switch (request.method, path.first) {
        case ("GET", nil), ("PATCH", nil): return .json(Shopper.ada.session.profile)
        case ("DELETE", nil), (_, "password"): return NetworkResponse(status: 204)
        case ("GET", "addresses"): return list(addresses)
        case ("POST", "addresses"):
            guard let address = body(Address.self, request) else { return .problem(.validationFailed) }
            addresses.append(address)
            return .json(address, status: 201)
        default: return .problem(.notFound)
        }
    }

    // MARK: Carts

    private mutating func cart(_ request: NetworkRequest, _ path: [String], _ owner: String) -> NetworkResponse {
        let sku = path.last ?? ""
        switch (request.method, path.first, path.count) {
        case ("GET", nil, _): return .json(cart(owner))
        case ("DELETE", nil, _):
            carts[owner] = []
            return changed(owner, "clear")
        case ("POST", "lines", _):
            guard let line = body(LineRequest.self, request) else { return .problem(.validationFailed) }
            let sum = quantity(line.sku, owner) + line.quantity
            if let refusal = refusal(line.sku, sum) { return refusal }
            set(line.sku, sum, owner)
            return changed(owner, "add \(line.sku) \(line.quantity)")
        case ("PUT", "lines", 2):
            guard let line = body(QuantityRequest.self, request) else { return .problem(.validationFailed) }
            if let refusal = refusal(sku, line.quantity) { return refusal }
            set(sku, line.quantity, owner)
            return changed(owner, "set \(sku) \(line.quantity)")
        case ("DELETE", "lines", 2):
            set(sku, 0, owner)
            return changed(owner, "remove \(sku)")
        case ("GET", "shipping-methods", _): return list([StubShop.standard])
        case ("PUT", "shipping", _):
            guard let wanted = body(Delivery.self, request) else { return .problem(.validationFailed) }
            shipping[owner] = Shipping(
                methodId: wanted.methodId, address: wanted.address, price: StubShop.standard.price)
            return changed(owner, "ship")
        case ("POST", "checkout", _):
            guard let wanted = body(CheckoutRequest.self, request) else { return .problem(.validationFailed) }
            guard wanted.expectedTotal == cart(owner).totals.total else { return .problem(.priceChanged) }
            carts[owner] = []
            return place(owner)
        default: return .problem(.notFound)
        }
    }

    private struct Delivery: Decodable {
        let methodId: String
        let address: Address
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
        let lines = (carts[owner] ?? []).map { line($0.sku, $0.quantity) }
        return Fixture.cart(
            id: "crt_" + owner, version: versions[owner] ?? 0, total: lines.reduce(0) { $0 + $1.lineTotal.amount },
            lines: lines, shipping: shipping[owner])
    }

    private func line(_ sku: String, _ quantity: Int) -> CartLine {
        Fixture.line(sku, quantity, price: Fixture.euros(prices[sku] ?? 1000))
    }

    // MARK: Orders

    private mutating func order(_ request: NetworkRequest, _ path: [String], _ owner: String) -> NetworkResponse {
        switch (request.method, path.first, path.last) {
        case ("POST", "preview", _):
            guard let wanted = body(PreviewRequest.self, request) else { return .problem(.validationFailed) }
            let lines = wanted.lines.map { line($0.sku, $0.quantity) }
            let totals = Fixture.cart(total: lines.reduce(0) { $0 + $1.lineTotal.amount }).totals
            return .json(OrderPreview(lines: lines, methods: [StubShop.standard], totals: totals))
        case ("POST", nil, _): return place(owner)
        case ("GET", nil, _): return list(orders[owner] ?? [])
        case ("GET", let id?, _):
            return orders[owner]?.first { $0.id == id }.map { .json($0) } ?? .problem(.notFound)
        case ("POST", let id?, "cancel"):
            let cancelled = Fixture.order(id: id, status: .cancelled)
            orders[owner] = orders[owner]?.map { $0.id == id ? cancelled : $0 }
            return .json(cancelled)
        case ("PUT", let id?, "shipping"):
            let changed = Fixture.order(id: id, rideId: rideId)
            orders[owner] = orders[owner]?.map { $0.id == id ? changed : $0 }
            return .json(changed)
        default: return .problem(.notFound)
        }
    }

    private mutating func place(_ owner: String) -> NetworkResponse {
        let order = Fixture.order(
            id: "ord_\((orders[owner]?.count ?? 0) + 1)", status: orderStatus, shipping: shipping[owner],
            rideId: rideId)
        orders[owner, default: []].append(order)
        effects.append("order")
        return .json(order, status: 201)
    }
}
