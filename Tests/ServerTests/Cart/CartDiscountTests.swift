import PouchContract
import PouchEntities
import PouchServer
import PouchWire
import Testing

@Suite("The discount code of a cart")
struct CartDiscountTests {
    @Test func `It is put on and taken off, each time under a later version; an older version is refused`()
        async throws
    {
        try await TestShop.open { shop in
            try await shop.admin().addDiscount(.ten).good()
            let guest = try await shop.guest()
            let added = try await guest.add("cap", 2)
            let stale = try #require(added.etag)
            try await guest.add("cap").good()
            try await guest.discount("TEN", headers: [HeaderName.ifMatch: stale]).problem(.versionConflict)
            #expect(try await guest.cart().discount == nil)
            let etag = try #require(try await guest.call(Contract.cart).etag)
            let put = try await guest.discount("ten ", headers: [HeaderName.ifMatch: etag])
            let cart = try put.good()
            #expect(cart.discount == CartDiscount(code: "TEN", amount: Money(300, .eur)))
            let now = try await guest.call(Contract.cart).etag
            #expect(put.etag != etag && put.etag == now)
            try await guest.call(Contract.removeCartDiscount, headers: [HeaderName.ifMatch: etag])
                .problem(.versionConflict)
            #expect(try await guest.call(Contract.removeCartDiscount).good().discount == nil)
            #expect(try await guest.call(Contract.removeCartDiscount).good().totals.discount == Money(0, .eur))
        }
    }

    @Test(arguments: ["NOTHING", "", "no code", "T\u{0}N"])
    func `A code that the shop does not have is refused, and the cart keeps its own`(code: String) async throws {
        try await TestShop.open { shop in
            try await shop.admin().addDiscount(.ten).good()
            let guest = try await shop.guest()
            try await guest.discount("TEN").good()
            try await guest.discount(code).problem(.discountInvalid)
            #expect(try await guest.cart().discount?.code == "TEN")
        }
    }

    @Test func `A guest's code comes along at sign-in, unless the account's cart has one`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await admin.addDiscount(.ten).good()
            try await admin.addDiscount(DiscountTerms(code: "OWN", kind: .freeShipping)).good()
            let request = SignInRequest(email: "ada@example.com", password: .password)
            let ada = try await shop.customer()
            for (own, expected) in [(nil, "TEN"), ("OWN", "OWN")] {
                try await ada.call(Contract.clearCart).good()
                if let own { try await ada.discount(own).good() }
                let guest = try await shop.guest()
                try await guest.discount("TEN").good()
                let signedIn = shop.caller(try await guest.call(Contract.signIn, request).good())
                #expect(try await signedIn.cart().discount?.code == expected)
            }
        }
    }

    @Test func `A way of delivery that is free from a sum on is offered at what it then costs`() async throws {
        try await TestShop.open(configure: { $0.shop = .freeFrom(3000) }) { shop in
            try await shop.admin().addDiscount(.ten).good()
            let guest = try await shop.guest()
            try await guest.add("cap", 3).good()
            #expect(try await guest.call(Contract.shippingMethods).good().items.map(\.price) == [Money(0, .eur)])
            try await guest.discount("TEN").good()
            let offered = try await guest.call(Contract.shippingMethods).good().items.map(\.price)
            #expect(offered == [Money(490, .eur)])
            #expect(try await guest.ship().good().shipping?.price == offered.first)
        }
    }
}
