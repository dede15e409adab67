import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import Testing

@Suite("What a shop makes of two carts at sign-in")
struct MergeAtSignInTests {
    @Test(arguments: [
        (CartMerge.Strategy.sum, 5, 3), (.max, 3, 2), (.guestWins, 2, 3), (.accountWins, 3, 1),
    ])
    func `Lines that both have are joined as the shop has decided`(
        strategy: CartMerge.Strategy, caps: Int, scarves: Int
    ) async throws {
        let settings = ShopSettings(
            currency: .eur, country: "DE", shipping: ShopSettings.standard().shipping, cartMerge: strategy)
        // Of the scarves there are no more than three.
        try await TestShop.open(
            [.stocked("cap"), .stocked("scarf", stock: 3), .stocked("hat"), .stocked("sock")],
            configure: { $0.shop = settings }
        ) { shop in
            let before = try await shop.customer()
            for (sku, quantity) in [("cap", 3), ("scarf", 1), ("hat", 1)] { try await before.add(sku, quantity).good() }
            let guest = try await shop.guest()
            for (sku, quantity) in [("cap", 2), ("scarf", 2), ("sock", 4)] { try await guest.add(sku, quantity).good() }
            if strategy == .guestWins { try await guest.set("scarf", to: 3).good() }
            let request = SignInRequest(email: "ada@example.com", password: .password)
            let cart = try await shop.caller(guest.call(Contract.signIn, request).good()).cart()
            let units = Dictionary(uniqueKeysWithValues: cart.lines.map { ($0.sku, $0.quantity) })
            #expect(units == ["cap": caps, "scarf": scarves, "hat": 1, "sock": 4])
            var changes: Set<CartChange> = [.quantity(sku: "sock", .merged, from: 0, to: 4)]
            if caps != 3 { changes.insert(.quantity(sku: "cap", .merged, from: 3, to: caps)) }
            if scarves != 1 { changes.insert(.quantity(sku: "scarf", .merged, from: 1, to: scarves)) }
            #expect(Set(cart.changes) == changes)
        }
    }
}
