import ServerTesting

/// A guest who fills a cart, buys, cancels, and perhaps signs up.
struct Buyer: Sendable {
    let client: Client
    private var world: World { client.world }

    private static let password = "correct horse"

    init(_ number: Int, _ world: World, _ fleet: Fleet) {
        client = Client("buyer-\(number)", person: number, world, fleet)
    }

    func run(_ actions: Int) async {
        for _ in 0..<actions {
            await world.pause(world.below(6))
            if client.principal == nil {
                await start()
            } else {
                await act()
            }
        }
    }

    private func act() async {
        switch world.below(100) {
        case 0..<30: await addLine()
        case 30..<36: await setLine()
        case 36..<40: await change(.setDiscount(code: world.one(of: Stage.codes) ?? ""))
        case 40..<42: await change([.clear, .removeDiscount].randomElement(using: &world.random) ?? .clear)
        case 42..<66: await checkout()
        case 66..<80: await buyNow()
        case 80..<90: await cancel()
        case 90..<94: await client.repeatOne()
        default: await signUp()
        }
    }

    // MARK: Sessions
    private func start() async {
        guard let server = await client.fleet.server() else { return }
        do {
            let id = try await server.accounts.startGuestSession().id
            client.principal = Principal(sessionId: id, kind: .guest, ownerId: id)
        } catch { world.expect(error, in: "a guest session") }
    }

    /// Takes the cart and the orders of the guest into a new account.
    func signUp() async {
        guard let guest = client.principal, guest.isGuest, let server = await client.fleet.server() else { return }
        world.tell("\(client.name): sign-up → server \(server.life.number)")
        let email = "buyer\(client.person)@example.com"
        do {
            let session = try await SimulatedDatabase.$purpose.withValue(.cart(person: client.person)) {
                do {
                    return try await server.accounts.signUp(
                        name: "Ada", email: email, mobileNumber: nil, password: Self.password, network: "192.0.2.1",
                        guest: guest)
                } catch DomainError.emailTaken {
                    // An earlier sign-up took effect and was not answered.
                    return try await server.accounts.signIn(
                        email: email, password: Self.password, network: "192.0.2.1", guest: guest)
                }
            }
            guard let id = session.profile?.id else { return world.violation("An account has no profile.") }
            client.principal = Principal(sessionId: session.id, kind: .customer, ownerId: id)
            world.count("sign-ups")
        } catch is DomainError {
        } catch { world.expect(error, in: "a sign-up") }
    }

    // MARK: The cart
    private func addLine() async {
        guard let sku = world.one(of: Stage.skus) else { return }
        let quantity = 1 + world.below(2)
        await client.send("add \(quantity) \(sku)") { [person = client.person] server, principal, request in
            try await SimulatedDatabase.$purpose.withValue(.cart(person: person)) {
                try await server.transact(principal, request) {
                    try server.carts.change(principal, .add(sku: sku, quantity: quantity), in: $0).cart
                }
            }
        }
    }

    private func setLine() async {
        guard let sku = world.one(of: Stage.skus) else { return }
        await change(.set(sku: sku, quantity: world.below(3)))
    }

    private func change(_ command: CartCommand) async {
        let written = await client.once("\(command)") { [person = client.person] server, principal in
            try await SimulatedDatabase.$purpose.withValue(.cart(person: person)) {
                try await server.store.write(.readCommitted) { repositories in
                    try principal.checkSession(.readCommitted, in: repositories)
                    let summary = try server.carts.changeForSummary(principal, command, in: repositories)
                    return (summary, try server.carts.cart(principal, in: repositories).cart)
                }
            }
        }
        if let (summary, cart) = written {
            world.check(
                summary.totals == cart.totals && cart.changes.isEmpty,
                "After \(command) the sums of a cart are \(summary.totals), and its lines have \(cart.totals).")
        }
    }

    private func cart() async -> Cart? {
        await client.once("read the cart") { server, principal in
            try await server.store.read { repositories in
                try principal.checkSession(in: repositories)
                return try server.carts.cart(principal, in: repositories).cart
            }
        }
    }

    // MARK: Orders
    private func checkout() async {
        guard var cart = await cart(), !cart.lines.isEmpty else { return await addLine() }
        if cart.shipping == nil {
            let method = world.one(of: Stage.methods) ?? ""
            await change(.setShipping(methodId: method, address: .sample))
            guard let again = await self.cart() else { return }
            cart = again
        }
        let (total, token) = (cart.totals.total, token())
        let ifMatch = world.chance(20) ? cart.version : nil
        // The order moves into the account while it is paid.
        if world.chance(10) { world.later { await signUp() } }
        let answer = await client.send("checkout for \(total.amount)", buys: true) { server, principal, request in
            try await server.checkout.checkout(
                principal,
                terms: PaymentTerms(
                    method: .card(token: token), expectedTotal: total, email: "\(request.key)@example.com"),
                ifMatch: ifMatch, request: request)
        }
        if answer?.code == 201 { world.count("orders acknowledged") }
    }

    private func buyNow() async {
        let skus = [world.one(of: Stage.skus) ?? "", world.one(of: Stage.skus) ?? ""].prefix(1 + world.below(2))
        let purchase = DirectPurchase(
            lines: skus.map { ($0, 1) }, methodId: world.one(of: Stage.methods), address: .sample,
            discount: world.chance(30) ? world.one(of: Stage.codes) : nil)
        let preview = await client.once("preview") { server, principal in
            try await server.store.read { try server.checkout.preview(purchase, for: principal, in: $0) }
        }
        guard let total = preview?.totals.total else { return }
        let token = token()
        if world.chance(10) { world.later { await signUp() } }
        let answer = await client.send(
            "buy \(skus.joined(separator: " and ")) for \(total.amount)", buys: true
        ) { server, principal, request in
            try await server.checkout.buyNow(
                principal, purchase: purchase,
                terms: PaymentTerms(
                    method: .card(token: token), expectedTotal: total, email: "\(request.key)@example.com"),
                request: request)
        }
        if answer?.code == 201 { world.count("orders acknowledged") }
    }

    private func token() -> String { world.chance(12) ? PaymentLedger.declinedToken : "tok_ok" }

    private func cancel() async {
        let orders = await client.once("list the orders") { server, principal in
            try await server.store.read {
                try $0.orders.orders(ownerId: principal.ownerId, after: nil, limit: 3).map(\.order.id)
            }
        }
        guard let id = world.one(of: orders ?? []) else { return }
        client.cancelled.insert(id)
        let answer = await client.send("cancel \(id)") { server, principal, request in
            try await server.checkout.cancel(orderId: id, of: principal, ifMatch: nil, request: request)
        }
        if answer != nil { world.count("cancellations") }
    }
}

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
            ) { report, _ in
                StoredAnswer(code: 202, format: "text/plain", tag: nil, body: Data(report.id.utf8))
            }
        }
        if answer != nil { world.count("imports") }
    }
}
