import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import Testing

@Suite("Shopify's own sample files", .enabled(if: FeedFixture.hasRealFiles))
struct ShopifyRealFilesTests {
    private func read(_ name: String) throws -> [FeedRecord] {
        try FeedFixture.all(ShopifyReader(file: FeedFixture.realFiles.appending(path: name), currency: .eur))
    }

    @Test func `The apparel file has 20 products and 22 variants`() throws {
        let records = try read("shopify-apparel.csv")
        #expect(records.reports == [])
        #expect(records.products.count == 20)
        #expect(records.variants.count == 22)
        let top = try #require(records.products.first { $0.handle == "classic-varsity-top" })
        #expect(top.options == [ProductOption(name: "Size", values: ["Small", "Medium", "Large"])])
        #expect(top.variants.map(\.sku).last == "classic-varsity-top-large")
        #expect(records.variants.allSatisfy { $0.stock == 1 && $0.weightGrams == nil })
        #expect(records.products.allSatisfy { $0.categoryName == "Uncategorised" })
    }

    @Test func `The jewellery file has 20 products and 23 variants, with exact prices`() throws {
        let records = try read("shopify-jewelery.csv")
        #expect(records.reports == [])
        #expect(records.products.count == 20)
        #expect(records.variants.count == 23)
        #expect(records.products.flatMap { $0.images ?? [] }.count == 41)
        let bracelet = try #require(records.products.first { $0.handle == "chain-bracelet" })
        #expect(bracelet.variants.map(\.price) == [Money(4299, .eur), Money(4299, .eur)])
        #expect(bracelet.variants.map(\.compareAtPrice) == [Money(4499, .eur), Money(4499, .eur)])
        #expect(bracelet.variants.map(\.stock) == [1, 0])
        #expect(bracelet.tags == ["Beads"])
        #expect(bracelet.categoryName == "Bracelet")
        let pendant = try #require(records.products.first { $0.handle == "choker-with-gold-pendant" })
        #expect(pendant.description?.hasSuffix("\n• Width, 0.3\"\n• Lobster clasp\n• Made in USA") == true)
        #expect(pendant.options == [])
    }

    @Test func `All prices add up to the cent`() throws {
        let cents = try read("shopify-jewelery.csv").variants.map(\.price.amount).reduce(0, +)
        let file = try String(
            contentsOf: FeedFixture.realFiles.appending(path: "shopify-jewelery.csv"), encoding: .utf8)
        // The price is what follows the inventory policy and the fulfilment service.
        let prices = file.components(separatedBy: ",deny,manual,").dropFirst().map { $0.prefix { $0 != "," } }
        let expected = prices.reduce(Int64(0)) { sum, text in
            sum + (Money(decimal: String(text), currency: .eur)?.amount ?? .min)
        }
        #expect(prices.count == 23)
        #expect(cents == expected)
    }
}
