import Foundation
import PouchDomain
import PouchEntities
import PouchFeed
import PouchImport

/// An administrator, who refunds and sends orders, corrects stock and prices, changes discounts and imports feeds.
struct Merchant: Sendable {
    let client: Client
    private var world: World { client.world }

    init(_ principal: Principal, _ world: World, _ fleet: Fleet) {
        client = Client("merchant", person: -1, world, fleet, principal: principal)
    }

    func run(_ actions: Int) async {
        for _ in 0..<actions {
            await world.pause(world.below(15))
            await act()
        }
    }

    private func act() async {
        switch world.below(100) {
        case 0..<28: await refund()
        case 28..<42: await advanceOrder()
        case 42..<60: await correctStock()
        case 60..<68: await changePrice()
        case 68..<78: await changeDiscount()
        case 78..<90: await importFeed()
        default: await client.repeatOne()
        }
    }

    // MARK: Orders

    private func order() async -> OrderRecord? {
        let orders = await client.once("list the orders") { server, _ in
            try await server.store.read { try $0.orders.orders(matching: OrderSearch(), after: nil, limit: 6) }
        }
        return world.one(of: orders ?? [])
    }

    private func refund() async {
        guard let order = await order()?.order else { return }
        let scope: RefundScope =
            switch world.below(4) {
            case 0: .rest
            case 1: .lines([StockUnits(sku: order.lines[0].sku, quantity: 1)])
            default: .amount(Money(Int64(1 + world.below(1200)), Stage.currency))
            }
        let answer = await client.send("refund \(scope) of \(order.id)") { server, principal, request in
            try await server.checkout.refund(
                orderId: order.id, scope, reason: "simulated", by: principal, request: request)
        }
        if answer != nil { world.count("refunds by the merchant") }
    }

    private func advanceOrder() async {
        guard let id = await order()?.order.id else { return }
        let delivers = world.chance(40)
        await client.send("\(delivers ? "deliver" : "send") \(id)") { server, principal, request in
            try await server.transact(principal, request) { repositories in
                delivers
                    ? try server.administration.deliver(orderId: id, ifMatch: nil, in: repositories).order
                    : try server.administration.fulfil(orderId: id, ifMatch: nil, in: repositories).order
            }
        }
    }

    // MARK: The catalogue

    private func correctStock() async {
        guard let sku = world.one(of: Stage.skus) else { return }
        let units = world.below(7) - 2
        let isAdjustment = units < 0 || world.chance(50)
        await update(
            "stock of \(sku): \(isAdjustment ? "\(units) more" : "\(units) available")", sku: sku, price: nil,
            available: isAdjustment ? nil : units, adjust: isAdjustment ? units : nil)
    }

    private func changePrice() async {
        guard let sku = world.one(of: Stage.skus) else { return }
        let price = Money(Int64(500 + world.below(20) * 97), Stage.currency)
        guard world.chance(30) else {
            return await update("price of \(sku)", sku: sku, price: price, available: nil, adjust: nil)
        }
        let start = world.clock.now.addingTimeInterval(Double(world.below(600)))
        await client.send("schedule a price of \(sku)") { server, principal, request in
            try await server.transact(principal, request) {
                try server.administration.schedulePrice(
                    sku: sku, price: price, startsAt: start, endsAt: start.addingTimeInterval(900), in: $0)
            }
        }
    }

    private func update(_ name: String, sku: String, price: Money?, available: Int?, adjust: Int?) async {
        _ = await client.once(name) { server, principal in
            try await SimulatedDatabase.$purpose.withValue(.stock) {
                try await server.store.write(.readCommitted) { repositories in
                    try principal.checkSession(in: repositories)
                    return try server.administration.updateVariant(
                        sku: sku, price: price, available: available, adjust: adjust, in: repositories
                    ).after
                }
            }
        }
    }

    private func changeDiscount() async {
        let discounts = await client.once("list the discounts") { server, _ in
            try await server.store.read { try $0.discounts.discounts(after: nil, limit: 10) }
        }
        guard let record = world.one(of: discounts ?? []) else { return }
        let limit = record.used + 1 + world.below(3)
        let endsAt = world.chance(30) ? world.clock.now.addingTimeInterval(600) : nil
        await client.send("limit \(record.discount.code) to \(limit)") { server, principal, request in
            try await server.transact(principal, request) { repositories in
                try server.administration.updateDiscount(id: record.discount.id, in: repositories) { old in
                    DiscountTerms(
                        code: old.code, kind: old.kind, basisPoints: old.basisPoints, amount: old.amount, buy: old.buy,
                        get: old.get, startsAt: old.startsAt, endsAt: endsAt, minimum: old.minimum,
                        products: old.products, categories: old.categories, limit: limit,
                        limitPerAccount: old.limitPerAccount)
                }.after
            }
        }
    }

    private func importFeed() async {
        let products = Stage.products { [world] in world.chance(70) ? $0 + world.below(4) : $0 }
        let isDryRun = world.chance(15)
        let answer = await client.send("import") { server, principal, request in
            try await server.imports.receive(
                ListedFeed(products), from: principal, isDryRun: isDryRun, request: request
            ) { StoredAnswer(code: 202, format: "text/plain", tag: nil, body: Data($0.id.utf8)) }
        }
        if answer != nil { world.count("imports") }
    }
}

/// A feed of given products.
struct ListedFeed: FeedReader {
    private var products: ArraySlice<FeedProduct>
    private var rows = 0

    init(_ products: [FeedProduct]) { self.products = products[...] }

    var progress: FeedProgress { FeedProgress(bytesRead: rows, totalBytes: rows + products.count, rows: rows) }

    mutating func next() throws(FeedError) -> FeedRecord? {
        guard let product = products.popFirst() else { return nil }
        rows += 1
        return .product(product)
    }
}
