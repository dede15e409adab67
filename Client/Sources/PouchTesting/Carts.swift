import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire

// Carts of a test shop.

extension TestShop.World {
    mutating func cartAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        let owner = call.owner
        switch call.endpoint {
        case Contract.cart: return .json(cart(of: owner))
        case Contract.clearCart:
            empty(owner)
            return changed(owner, "clear")
        case Contract.addCartLine:
            let line = try call.body(Contract.addCartLine)
            try FieldProblem.quantity("quantity", line.quantity).check()
            try set(line.sku, to: quantity(line.sku, of: owner) + line.quantity, of: owner)
            return changed(owner, "add \(line.sku) \(line.quantity)")
        case Contract.setCartLine:
            let quantity = try call.body(Contract.setCartLine).quantity
            if quantity == 0 {
                put(call.parameter, 0, of: owner)
            } else {
                try set(call.parameter, to: quantity, of: owner)
            }
            return changed(owner, "set \(call.parameter) \(quantity)")
        case Contract.removeCartLine:
            put(call.parameter, 0, of: owner)
            return changed(owner, "remove \(call.parameter)")
        case Contract.setCartDiscount:
            let discount = try discount(try call.body(Contract.setCartDiscount).code)
            discounts[owner] = discount
            return changed(owner, "discount \(discount.code)")
        case Contract.removeCartDiscount:
            discounts[owner] = nil
            return changed(owner, "remove discount")
        case Contract.shippingMethods:
            return try call.page(of: shippingMethods, call.query(ShippingMethodsQuery.self).page, by: \.id)
        case Contract.setCartShipping:
            let wanted = try call.body(Contract.setCartShipping)
            let chosen = try shipping(wanted.methodId, to: wanted.address.address())
            shipping[owner] = chosen
            return changed(owner, "ship \(chosen.methodId)")
        default: return nil
        }
    }

    /// The cart of an owner, priced. A delivery method that the shop no longer offers is treated as not chosen.
    public func cart(of owner: String) -> Cart {
        let lines = (carts[owner] ?? []).compactMap(line)
        return priced(
            lines, id: "crt_" + owner, version: versions[owner] ?? 0, discount: discounts[owner],
            shipping: shipping[owner].flatMap { chosen in
                method(chosen.methodId).map {
                    Shipping(methodId: $0.id, address: chosen.address, price: $0.price)
                }
            }, changes: (changes[owner] ?? []) + priceChanges(of: lines, owner))
    }

    func priced(
        _ lines: [CartLine], id: String, version: Int, discount: CartDiscount?, shipping: Shipping?,
        changes: [CartChange] = []
    ) -> Cart {
        let totals = Totals.sample(lines: lines, discount: discount, shipping: shipping)
        return Cart(
            id: id, version: version, lines: lines,
            discount: discount.map { CartDiscount(code: $0.code, amount: totals.discount) }, shipping: shipping,
            totals: totals, changes: changes, updatedAt: .sample)
    }

    private func priceChanges(of lines: [CartLine], _ owner: String) -> [CartChange] {
        lines.compactMap { line in
            guard let seen = seenPrices[owner]?[line.sku], seen != line.unitPrice else { return nil }
            return .priceChanged(sku: line.sku, from: seen, to: line.unitPrice)
        }
    }

    // MARK: Choices

    func method(_ id: String) -> ShippingMethod? { shippingMethods.first { $0.id == id } }

    func shipping(_ methodId: String, to address: Address) throws(Refusal) -> Shipping {
        try FieldProblem.address(address, prefix: "address.").check()
        guard let method = method(methodId) else { throw Refusal(.unknownShippingMethod) }
        return Shipping(methodId: method.id, address: address, price: method.price)
    }

    /// The discount of a code, case-insensitive.
    func discount(_ code: String) throws(Refusal) -> CartDiscount {
        let code = code.trimmingCharacters(in: .whitespaces).uppercased()
        guard let amount = codes.first(where: { $0.key.uppercased() == code })?.value else {
            throw Refusal(.discountInvalid)
        }
        return CartDiscount(code: code, amount: Money(amount, currency))
    }

    // MARK: Lines

    private func quantity(_ sku: String, of owner: String) -> Int {
        carts[owner]?.first { $0.sku == sku }?.quantity ?? 0
    }

    /// A smaller quantity is always allowed, even above the stock.
    private mutating func set(_ sku: String, to quantity: Int, of owner: String) throws(Refusal) {
        try FieldProblem.quantity("quantity", quantity).check()
        guard price(of: sku) != nil else { throw Refusal(.unknownSKU) }
        let known = self.quantity(sku, of: owner)
        if quantity > known { try checkStock([sku: quantity]) }
        guard known > 0 || (carts[owner]?.count ?? 0) < ModelLimits.lines else { throw Refusal(.cartFull) }
        put(sku, quantity, of: owner)
    }

    /// - Throws: a refusal with the available units of each SKU with insufficient stock.
    func checkStock(_ wanted: [String: Int]) throws(Refusal) {
        let short = wanted.filter { $0.value > available($0.key) }.keys.sorted()
            .map { StockShortfall(sku: $0, available: max(0, available($0))) }
        guard short.isEmpty else { throw Refusal(.outOfStock) { ProblemDetails($0, lines: short) } }
    }

    private mutating func put(_ sku: String, _ quantity: Int, of owner: String) {
        let index = carts[owner]?.firstIndex { $0.sku == sku }
        switch (index, quantity > 0) {
        case (let index?, true): carts[owner]?[index].quantity = quantity
        case (let index?, false): carts[owner]?.remove(at: index)
        case (nil, true): carts[owner, default: []].append(Item(sku: sku, quantity: quantity))
        case (nil, false): break
        }
    }

    mutating func empty(_ owner: String) {
        (carts[owner], discounts[owner], shipping[owner]) = ([], nil, nil)
        noteWrite(owner)
    }

    mutating func removeCart(of owner: String) {
        (carts[owner], discounts[owner], shipping[owner]) = (nil, nil, nil)
        (versions[owner], changes[owner], seenPrices[owner]) = (nil, nil, nil)
    }

    private mutating func changed(_ owner: String, _ effect: String) -> NetworkResponse {
        noteWrite(owner)
        effects.append(effect)
        return .json(cart(of: owner))
    }

    /// Records a write, after which the owner has seen all changes so far.
    private mutating func noteWrite(_ owner: String) {
        versions[owner, default: 0] += 1
        changes[owner] = nil
        var seen: [String: Money] = [:]
        for item in carts[owner] ?? [] { seen[item.sku] = price(of: item.sku) }
        seenPrices[owner] = seen
    }

    // MARK: Sign-in

    /// Adds a guest's cart to that of an account, never above the stock or the maximum quantity of a line.
    mutating func mergeCart(of guest: String, into owner: String) {
        let cart = cart(of: guest)
        let seen = seenPrices[guest] ?? [:]
        defer { removeCart(of: guest) }
        guard !cart.lines.isEmpty || shipping[guest] != nil || discounts[guest] != nil else { return }
        var merged: [CartChange] = []
        for line in cart.lines {
            let before = quantity(line.sku, of: owner)
            let hasRoom = before > 0 || (carts[owner]?.count ?? 0) < ModelLimits.lines
            let wanted = before + line.quantity
            let most = hasRoom ? min(ModelLimits.quantity.upperBound, max(0, line.available)) : 0
            let quantity = min(wanted, most)
            put(line.sku, quantity, of: owner)
            seenPrices[owner, default: [:]][line.sku] = seen[line.sku] ?? line.unitPrice
            if quantity == 0 {
                merged.append(.quantity(sku: line.sku, .removed, from: wanted, to: 0))
            } else if quantity < wanted {
                merged.append(.quantity(sku: line.sku, .quantityReduced, from: wanted, to: quantity))
            } else {
                merged.append(.quantity(sku: line.sku, .merged, from: before, to: quantity))
            }
        }
        discounts[owner] = discounts[owner] ?? discounts[guest]
        shipping[owner] = shipping[owner] ?? shipping[guest]
        versions[owner, default: 0] += 1
        changes[owner] = merged
    }
}
