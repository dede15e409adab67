import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchWire
import Testing

@Suite("A guest's cart at sign-in")
struct CartMergeTests {
    private static let request = SignInRequest(email: "ada@example.com", password: .password)

    @Test func `Signing up takes the guest's cart, shipping and orders along, and ends the guest's session`()
        async throws
    {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            try await guest.add("scarf-s", 2).good()
            try await guest.ship("express").good()

            let customer = shop.caller(try await guest.call(Contract.signUp, .sample()).good())
            let cart = try await customer.cart()
            #expect(cart.lines.map(\.sku) == ["scarf-s"] && cart.lines.map(\.quantity) == [2])
            #expect(cart.shipping?.methodId == "express")
            #expect(cart.changes == [.quantity(sku: "scarf-s", .merged, from: 0, to: 2)])
            #expect(try await customer.call(Contract.orders).good().items.map(\.id) == [order.id])
            try await guest.call(Contract.cart).problem(.unauthenticated)
            try await guest.call(Contract.order, path: ["id": order.id]).problem(.unauthenticated)
        }
    }

    @Test func `Units are added up, never above stock nor 999, and each line's change is told`() async throws {
        let things: [FeedProduct] = [
            .stocked("plenty", stock: 5_000), .stocked("few", stock: 5), .stocked("own", stock: 9),
            .stocked("new", stock: 9),
            .stocked("gone", stock: 3),
        ]
        try await TestShop.open(things) { shop in
            let before = try await shop.customer()
            try await before.add("plenty", 500).good()
            try await before.add("few", 3).good()
            try await before.add("own", 1).good()
            let guest = try await shop.guest()
            try await guest.add("plenty", 600).good()
            try await guest.add("few", 4).good()
            try await guest.add("new", 2).good()
            try await guest.add("gone", 3).good()
            _ = try await shop.guest().order("gone", 3)

            let customer = shop.caller(try await guest.call(Contract.signIn, Self.request).good())
            let cart = try await customer.cart()
            let units = Dictionary(uniqueKeysWithValues: cart.lines.map { ($0.sku, $0.quantity) })
            #expect(units == ["plenty": 999, "few": 5, "own": 1, "new": 2])
            let changes: Set<CartChange> = [
                .quantity(sku: "plenty", .quantityReduced, from: 1_100, to: 999),
                .quantity(sku: "few", .quantityReduced, from: 7, to: 5), .quantity(sku: "new", .merged, from: 0, to: 2),
                .quantity(sku: "gone", .removed, from: 3, to: 0),
            ]
            #expect(Set(cart.changes) == changes && cart.changes.count == 4)
            #expect(try await customer.set("own", to: 2).good().changes == [])
        }
    }

    @Test func `Signing in twice with one guest changes nothing more`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap", 2).good()
            _ = try await guest.call(Contract.signIn, Self.request).good()
            let second = shop.caller(try await guest.call(Contract.signIn, Self.request).good())
            #expect(try await second.cart().lines.map(\.quantity) == [2])
            #expect(try await second.cart().version == 1)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `Signing in many times at once merges once`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap", 1).good()
            let statuses = try await parallel(8) { _ in try await guest.call(Contract.signIn, Self.request).status }
            #expect(Set(statuses) == [201])
            #expect(try await customer.cart().lines.map(\.quantity) == [1])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `What a guest adds while signing in is in the account's cart, or was refused`() async throws {
        let writers = 8
        try await TestShop.open((0..<writers).map { .stocked("thing-\($0)", stock: 10_000) }) { shop in
            for round in 0..<10 {
                let email = "ada-\(round)@example.com"
                _ = try await shop.customer(email)
                let guest = try await shop.guest()
                async let signedIn = guest.call(
                    Contract.signIn, SignInRequest(email: email, password: .password)
                ).good()
                // Each goes on until it is refused, so in every round some are under way while the session ends.
                let acknowledged = try await parallel(writers) { writer in
                    for units in 0..<900 {
                        let answer = try await guest.add("thing-\(writer)")
                        guard answer.status != 200 else { continue }
                        try answer.problem(.unauthenticated)
                        return units
                    }
                    Issue.record("the session did not end")
                    return 0
                }
                let cart = try await shop.caller(signedIn).cart()
                let units = Dictionary(uniqueKeysWithValues: cart.lines.map { ($0.sku, $0.quantity) })
                #expect((0..<writers).map { units["thing-\($0)"] ?? 0 } == acknowledged)
            }
        }
    }

    @Test func `A failed sign-in leaves the guest's cart alone`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.call(Contract.signIn, SignInRequest(email: "ada@example.com", password: "wrong password"))
                .problem(.invalidCredentials)
            try await guest.call(Contract.signUp, .sample()).problem(.emailTaken)
            #expect(try await guest.cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `An expired guest's token is refused, so that the cart is not lost unnoticed`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            shop.clock.advance(by: 16 * 60)
            try await guest.call(Contract.signIn, Self.request).problem(.tokenExpired)
        }
    }

    @Test func `Signing in with another customer's token takes nothing along`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let bob = try await shop.customer("bob@example.com")
            try await bob.add("cap").good()
            let ada = shop.caller(try await bob.call(Contract.signIn, Self.request).good())
            #expect(try await ada.cart().lines == [])
            #expect(try await bob.cart().lines.map(\.sku) == ["cap"])
        }
    }
}
