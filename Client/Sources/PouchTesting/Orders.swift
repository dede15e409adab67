import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire

// Purchases and orders of a test shop.

extension TestShop.World {
    mutating func orderAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        switch call.endpoint {
        case Contract.checkout:
            let wanted = try call.body(Contract.checkout)
            let cart = cart(of: call.owner)
            guard !cart.lines.isEmpty else { throw Refusal(.cartEmpty) }
            let answer = try place(
                cart, of: call,
                Terms(expectedTotal: wanted.expectedTotal, method: wanted.paymentMethod, email: wanted.email))
            if answer.status == Contract.checkout.status { empty(call.owner) }
            return answer
        case Contract.previewOrder:
            let wanted = try call.body(Contract.previewOrder)
            let address = wanted.address?.address()
            if let address { try FieldProblem.address(address, prefix: "address.").check() }
            let cart = try draft(
                wanted.lines, discount: wanted.discount,
                shipping: try wanted.methodId.map { id throws(Refusal) in try shipping(id, to: address ?? .sample()) })
            return .json(OrderPreview(lines: cart.lines, methods: shippingMethods, totals: cart.totals))
        case Contract.buyNow:
            let wanted = try call.body(Contract.buyNow)
            _ = try units(of: wanted.lines)
            guard let methodId = wanted.methodId, let address = wanted.address?.address() else {
                throw Refusal(.shippingRequired)
            }
            let cart = try draft(
                wanted.lines, discount: wanted.discount, shipping: shipping(methodId, to: address))
            return try place(
                cart, of: call,
                Terms(expectedTotal: wanted.expectedTotal, method: wanted.paymentMethod, email: wanted.email))
        case Contract.orders:
            return try call.page(of: orders[call.owner] ?? [], call.query(PageQuery.self), most: pageSize, by: \.id)
        case Contract.order, Contract.cancelOrder, Contract.changeDelivery: return try knownOrderAnswer(call)
        case Contract.orderByLink:
            // In a test shop the token of an order's link is the order's id.
            let id = try call.body(Contract.orderByLink).token
            guard let order = orders.values.joined().first(where: { $0.id == id }) else { throw Refusal(.linkInvalid) }
            return .json(order)
        default: return nil
        }
    }

    // MARK: Buying

    private struct Terms {
        let expectedTotal: Money
        let method: PaymentMethod
        let email: String?
    }

    /// The lines with repeated SKUs added up.
    private func units(of lines: [LineRequest]) throws(Refusal) -> [Item] {
        guard (1...ModelLimits.lines).contains(lines.count) else {
            throw Refusal("lines", "out_of_range", "Send from 1 to \(ModelLimits.lines) lines.")
        }
        var items: [Item] = []
        for (number, line) in lines.enumerated() {
            let field = "lines.\(number).quantity"
            try FieldProblem.quantity(field, line.quantity).check()
            let index = items.firstIndex { $0.sku == line.sku }
            let sum = line.quantity + (index.map { items[$0].quantity } ?? 0)
            try FieldProblem.quantity(field, sum).check()
            if let index { items[index].quantity = sum } else { items.append(Item(sku: line.sku, quantity: sum)) }
        }
        return items
    }

    private func draft(_ wanted: [LineRequest], discount code: String?, shipping: Shipping?) throws(Refusal) -> Cart {
        var lines: [CartLine] = []
        for item in try units(of: wanted) {
            guard let line = line(item) else { throw Refusal(.unknownSKU) }
            lines.append(line)
        }
        let discount = try code.map { code throws(Refusal) in try self.discount(code) }
        return priced(lines, id: "", version: 0, discount: discount, shipping: shipping)
    }

    /// Orders and pays. The tokens are those of the sandbox: `tok_declined` and `tok_insufficient_funds` are declined,
    /// any other is paid. A total of 0 is not charged.
    private mutating func place(_ cart: Cart, of call: TestCall, _ terms: Terms) throws(Refusal) -> NetworkResponse {
        guard cart.shipping != nil else { throw Refusal(.shippingRequired) }
        try FieldProblem.email(terms.email).check()
        let account = profiles[call.owner] ?? call.session?.profile
        guard let email = terms.email?.normalizedEmail ?? account?.email else { throw Refusal(.emailRequired) }
        guard terms.expectedTotal == cart.totals.total else {
            throw Refusal(.priceChanged) { ProblemDetails($0, changes: cart.changes) }
        }
        try checkStock(Dictionary(cart.lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +))
        let declined = ["tok_declined": "card_declined", "tok_insufficient_funds": "insufficient_funds"]
        if let code = declined[terms.method.token], cart.totals.total.amount > 0 {
            return .problem(.paymentDeclined) { ProblemDetails($0, declineCode: code) }
        }
        for line in cart.lines { take(line.quantity, of: line.sku) }
        let id = newId("ord_", besides: orders.values.joined().map(\.id))
        let order = Order.sample(
            id: id, number: "P-" + id.dropFirst(4), status: orderStatus, cart: cart, rideId: rideId, email: email)
        orders[call.owner, default: []].insert(order, at: 0)
        effects.append("order \(order.id)")
        return .json(order, status: Contract.checkout.status)
    }

    // MARK: Orders

    private mutating func knownOrderAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse {
        guard let index = orders[call.owner]?.firstIndex(where: { $0.id == call.parameter }),
            let order = orders[call.owner]?[index]
        else { throw Refusal(.notFound) }
        switch call.endpoint {
        case Contract.cancelOrder:
            // A pending order may or may not be paid.
            guard order.isCancellable else { throw Refusal(.notCancellable) }
            orders[call.owner]?[index] = order.cancelled()
            for line in order.lines { take(-line.quantity, of: line.sku) }
            effects.append("cancel \(order.id)")
        case Contract.changeDelivery:
            let methodId = try call.body(Contract.changeDelivery).methodId
            guard let failure = order.deliveryFailure else {
                guard order.shipping?.methodId == methodId else { throw Refusal(.deliverySettled) }
                break
            }
            guard failure.methods.contains(where: { $0.id == methodId }) else { throw Refusal(.unknownShippingMethod) }
            orders[call.owner]?[index] = order.delivered(by: methodId, rideId: rideId)
            effects.append("deliver \(order.id) \(methodId)")
        default: break
        }
        return .json(orders[call.owner]?[index])
    }
}

extension Order {
    fileprivate var isCancellable: Bool {
        [.paid, .partiallyRefunded].contains(status) && !history.contains { $0.status == .fulfilled }
            && [.captured, .partiallyRefunded].contains(payment.status)
    }
}
