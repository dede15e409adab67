import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Shipping and discount of a cart")
struct CartShippingTests {
    @Test func `A choice stays with the cart and is part of the total`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            let cart = try await guest.ship("express").good()
            #expect(cart.shipping == Shipping(methodId: "express", address: .sample, price: Money(990, .eur)))
            #expect(cart.totals.shipping == Money(990, .eur) && cart.totals.total == Money(1990, .eur))
            #expect(try await guest.ship("standard").good().totals.total == Money(1490, .eur))
        }
    }

    @Test func `Two ways of delivery are offered, and a kangaroo third where it comes, in pages too`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
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
    }

    @Test func `A method or an address that is none is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.ship("teleport").problem(.unknownShippingMethod)
            let nowhere = Address(name: "", line1: "1", city: "B", postalCode: "1", country: "Germany")
            let problem = try await guest.ship(to: nowhere).problem(.validationFailed).problem
            #expect(Set(problem.errors?.map(\.field) ?? []) == ["address.name", "address.country"])
            #expect(try await guest.cart().shipping == nil)
        }
    }

    @Test func `No discount code is valid yet, and removing none is no error`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.call(Contract.setCartDiscount, DiscountRequest(code: "SALE")).problem(.discountInvalid)
            #expect(try await guest.call(Contract.removeCartDiscount).good().discount == nil)
        }
    }
}
