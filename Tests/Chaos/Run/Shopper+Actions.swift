import Foundation
import PouchClient

extension Shopper {
    // MARK: Looking

    /// Nothing is lost when a look fails; the next one may go well.
    mutating func browse() async throws {
        let pouch = pouch
        await look {
            async let products = pouch.catalog.products(ProductQuery(limit: 2))
            async let promotions = pouch.catalog.promotions()
            async let product = pouch.catalog.product(handle: "coat")
            async let figures = pouch.catalog.availability(of: ChaosShop.skus)
            let (page, _, coat, stock) = try await (products, promotions, product, figures)
            if page.items.count != 2 || coat.handle != "coat" || stock.count != ChaosShop.skus.count {
                return "was shown another catalogue"
            }
            return nil
        }
    }

    private mutating func look(_ work: () async throws -> String?) async {
        do {
            if let wrong = try await work() { violation(wrong) }
        } catch let error as DataError where error.leavesOutcomeOpen {
            report.openOutcomes += 1
        } catch {
            violation("looking ended with \(error)")
        }
    }

    // MARK: The cart

    mutating func changeCart() async throws {
        guard let sku = ChaosShop.skus.randomElement(using: &random) else { return }
        let quantity = Int.random(in: 1...5, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55:
            try await change { cart in try await cart.add(sku: sku, quantity: quantity) }
            units[sku, default: 0] += quantity
        case 55..<80:
            try await change { cart in try await cart.set(sku: sku, quantity: quantity) }
            units[sku] = quantity
        case 80..<95:
            try await change { cart in try await cart.remove(sku: sku) }
            units[sku] = nil
        default:
            try await change { cart in try await cart.clear() }
            units = [:]
        }
    }

    /// A change that cannot be sent now waits and is sent later. One that fails was not taken, as where no guest's session
    /// could be had.
    private mutating func change(_ work: (CartManager) async throws -> Void) async throws {
        try await insist { pouch in try await work(pouch.cart) }
    }

    // MARK: Buying

    mutating func checkOut() async throws {
        guard !units.isEmpty else { return }
        let address = Address(
            name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")
        let email = email ?? "guest@example.com"
        let cart = try await insist { pouch in try await pouch.cart.setShipping(methodId: "standard", to: address) }
        let order = try await insist { pouch in
            try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: email)
        }
        try await check(order, has: units)
        units = [:]
        told.forget()
    }

    mutating func buyNow() async throws {
        guard let sku = ChaosShop.skus.randomElement(using: &random) else { return }
        let quantity = Int.random(in: 1...3, using: &random)
        let email = email ?? "guest@example.com"
        let draft = OrderDraft(
            lines: [.init(sku: sku, quantity: quantity)],
            address: Address(
                name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU"),
            methodId: "standard")
        let total = try await insist { pouch in try await pouch.checkout.preview(draft).totals.total }
        let order = try await insist { pouch in
            try await pouch.checkout.buy(draft, for: total, with: .card(token: "tok_ok"), email: email)
        }
        try await check(order, has: [sku: quantity], isOfCart: false)
    }

    /// Does the same again until it is done, as somebody would who wants it; now and then with a program that was started
    /// anew.
    private mutating func insist<Value>(_ work: (Pouch) async throws -> Value) async throws -> Value {
        for _ in 0..<Self.patience {
            do {
                return try await work(pouch)
            } catch let error as DataError where error.leavesOutcomeOpen {
                report.openOutcomes += 1
                if Int.random(in: 0..<4, using: &random) == 0 { try await restart() }
            }
        }
        throw DataError(.timedOut, log: "not done after \(Self.patience) tries")
    }

    private mutating func check(_ order: Order, has units: [String: Int], isOfCart: Bool = true) async throws {
        let bought = Dictionary(order.lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        let isExcused = isOfCart ? try await isAsTold(bought, units) : bought == units
        if !isExcused { violation("order \(order.id) has \(bought) in place of \(units)") }
        if report.orders.contains(order.id) { violation("order \(order.id) was given for two purchases") }
        report.orders.append(order.id)
    }

    /// Whether there is what should be, but for what the shopper was told of.
    private func isAsTold(_ found: [String: Int], _ units: [String: Int]) async throws -> Bool {
        let others = Set(ChaosShop.skus.filter { found[$0] != units[$0] })
        if others.isEmpty { return true }
        return try await told.covers(others)
    }

    // MARK: The account

    mutating func register() async throws {
        guard email == nil else { return }
        let address = "shopper-\(seed)@example.com"
        let password = "correct horse"
        try await insist { pouch in
            do throws(DataError) {
                try await pouch.account.signUp(name: "Ann Example", email: address, password: password)
            } catch {
                // An earlier try went through, although its answer was lost.
                guard error.reason == .emailTaken else { throw error }
                try await pouch.account.signIn(email: address, password: password)
            }
        }
        email = address
    }

    // MARK: In the end

    /// Compares what the shop has with what the shopper was told.
    mutating func compare() async throws {
        try await restart()
        let cart = try await pouch.cart.refresh()
        let found = Dictionary(cart.lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        if try await !isAsTold(found, units) { violation("the cart has \(found) in place of \(units)") }
        var orders: [String] = []
        var cursor: String?
        repeat {
            let page = try await pouch.orders.orders(limit: 200, cursor: cursor)
            orders += page.items.map(\.id)
            cursor = page.nextCursor
        } while cursor != nil
        if Set(orders) != Set(report.orders) || orders.count != report.orders.count {
            violation("the shop has the orders \(orders.sorted()), and \(report.orders.sorted()) were acknowledged")
        }
        if let email, await pouch.account.session?.profile?.email != email { violation("is signed out") }
    }
}
