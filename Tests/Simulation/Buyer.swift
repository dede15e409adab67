import Foundation
import PouchDomain
import PouchEntities

/// A guest who fills a cart, buys, cancels, and perhaps signs up.
struct Buyer: Sendable {
    let client: Client
    private var world: World { client.world }

    /// The password of all accounts.
    private static let password = "correct horse"
    private static let address = Address(
        name: "Ada", line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE")

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
            await change(.setShipping(methodId: method, address: Self.address))
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
            lines: skus.map { ($0, 1) }, methodId: world.one(of: Stage.methods), address: Self.address,
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
