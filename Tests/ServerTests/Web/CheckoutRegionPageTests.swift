import PouchEntities
import PouchServer
import Testing

@testable import PouchDomain

@Suite("Regions and taxes on the pages", .timeLimit(.minutes(5)))
struct CheckoutRegionPageTests {
    @Test func `Where the state decides on the tax, it is chosen from a list, and the total follows`() async throws {
        let settings = ShopSettings(
            currency: .eur, country: "US",
            taxes: TaxSettings(
                pricesIncludeTax: false, rounding: .perLine,
                regions: [TaxRegion(territory: Territory(country: "US", region: "CA"), standardRate: 1_000)]),
            shipping: [.flat("standard", 500)])
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            let visitor = WebVisitor(shop)
            try await visitor.add("cap")
            let page = try await visitor.open("/checkout")
            let field = try #require(page.attributes(of: "select").first { $0["id"] == "address-region" })
            #expect(field["required"] != nil && field["data-recalculate"] != nil)
            #expect(page.text.contains(">California</option>") && page.expectedTotal == "15.00")
            let states = ["shipping.address.country": "US", "shipping.address.region": "CA"]
            let chosen = try await visitor.recalculate(page, WebVisitor.typed.merging(states) { $1 })
            #expect(chosen.expectedTotal == "16.50")
            #expect(chosen.fields(of: "/checkout")["shipping.address.region?"] == "CA")
            let refused = try await visitor.pay(
                chosen, ["shipping.address.country": "US", "shipping.address.region": ""])
            #expect(refused.status == 422 && refused.words.contains("Enter the state or region."))
            let order = try await visitor.pay(chosen, states)
            #expect(order.words.contains("€16.50 paid by card"))

            // Another country has other fields.
            try await visitor.add("cap")
            let other = try await visitor.recalculate(
                try await visitor.open("/checkout"), ["shipping.address.country": "HK"])
            for id in ["address-postalCode", "address-city", "address-region"] {
                let input = try #require(other.attributes(of: "input").first { $0["id"] == id })
                #expect(input["required"] == nil, "\(id)")
            }
        }
    }

    @Test func `A shop without taxes does not say that prices include any`() async throws {
        try await TestShop.open { shop in
            let visitor = WebVisitor(shop)
            let home = try await visitor.get("/").words
            #expect(home.contains("Prices do not include shipping."))
            let product = try await visitor.get("/product/cap").words
            #expect(!product.contains("tax"))
        }
    }
}
