import ServerTesting
import Testing

@Suite("The shipping of a cart", .inShop())
struct CartShippingTests {
    private let guest: Caller

    init() async throws { guest = try await TestShop.current.guest() }

    @Test func `The chosen shipping is stored with the cart and included in the total`() async throws {
        try await guest.add("cap").good()
        let cart = try await guest.ship("express").good()
        #expect(cart.shipping == Shipping(methodId: "express", address: .sample, price: Money(990, .eur)))
        #expect(cart.totals.shipping == Money(990, .eur) && cart.totals.total == Money(1990, .eur))
        #expect(try await guest.ship("standard").good().totals.total == Money(1490, .eur))
    }

    @Test func `Two shipping methods are offered, and a kangaroo within its city`() async throws {
        for query in ["", "country=AU&postalCode=2000", "latitude=52.52&longitude=13.40"] {
            let methods = try await guest.call(Contract.shippingMethods, query: query).good().items
            #expect(methods.map(\.id) == ["standard", "express"])
            #expect(methods.map(\.price) == [Money(490, .eur), Money(990, .eur)])
        }
        let inSydney = "latitude=-33.87&longitude=151.21"
        let methods = try await guest.call(Contract.shippingMethods, query: inSydney).good().items
        #expect(methods.map(\.id) == ["standard", "express", "kangaroo"])
        let pages = try await guest.pages(Contract.shippingMethods, limit: 1)
        #expect(pages.map { $0.map(\.id) } == [["standard"], ["express"]])
    }

    @Test func `An unknown shipping method and an invalid address are refused`() async throws {
        try await guest.ship("teleport").problem(.unknownShippingMethod)
        let nowhere = Address(name: "", line1: "1", city: "B", postalCode: "1", country: "Germany")
        #expect(try await Set(guest.ship(to: nowhere).invalidFields()) == ["address.name", "address.country"])
        #expect(try await guest.cart().shipping == nil)
    }
}

/// The code TEN takes ten percent off. A sum of 30.00 is free of shipping.
@Suite("The discount code of a cart", .inShop(configure: { $0.shop = .freeFrom(3000) }))
struct CartDiscountTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws {
        (admin, guest) = (try await shop.admin(), try await shop.guest())
        try await admin.addDiscount(.ten).good()
    }

    @Test func `Setting and removing a code raises the version, and an older version is refused`() async throws {
        let stale = try #require(try await guest.add("cap", 2).etag)
        try await guest.add("cap").good()
        try await guest.discount("TEN", headers: .ifMatch(stale)).problem(.versionConflict)
        #expect(try await guest.cart().discount == nil)
        let etag = try #require(try await guest.call(Contract.cart).etag)
        let put = try await guest.discount("ten ", headers: .ifMatch(etag))
        #expect(try put.good().discount == CartDiscount(code: "TEN", amount: Money(300, .eur)))
        let now = try await guest.call(Contract.cart).etag
        #expect(put.etag != etag && put.etag == now)
        try await guest.call(Contract.removeCartDiscount, headers: .ifMatch(etag)).problem(.versionConflict)
        #expect(try await guest.call(Contract.removeCartDiscount).good().discount == nil)
        #expect(try await guest.call(Contract.removeCartDiscount).good().totals.discount == Money(0, .eur))
    }

    @Test(arguments: ["NOTHING", "", "no code", "T\u{0}N"])
    func `An unknown code is refused, and the cart keeps its code`(code: String) async throws {
        try await guest.discount("TEN").good()
        try await guest.discount(code).problem(.discountInvalid)
        #expect(try await guest.cart().discount?.code == "TEN")
    }

    @Test func `A guest's code moves to the account's cart at sign-in unless that cart has one`() async throws {
        try await admin.addDiscount(DiscountTerms(code: "OWN", kind: .freeShipping)).good()
        let ada = try await shop.customer()
        for (own, expected) in [(nil, "TEN"), ("OWN", "OWN")] {
            try await ada.call(Contract.clearCart).good()
            if let own { try await ada.discount(own).good() }
            let guest = try await shop.guest()
            try await guest.discount("TEN").good()
            #expect(try await guest.signedIn().cart().discount?.code == expected)
        }
    }

    @Test func `Shipping is priced after the discount, also with free shipping from a sum`() async throws {
        try await guest.add("cap", 3).good()
        #expect(try await guest.call(Contract.shippingMethods).good().items.map(\.price) == [Money(0, .eur)])
        try await guest.discount("TEN").good()
        let offered = try await guest.call(Contract.shippingMethods).good().items.map(\.price)
        #expect(offered == [Money(490, .eur)])
        #expect(try await guest.ship().good().shipping?.price == offered.first)
    }
}
