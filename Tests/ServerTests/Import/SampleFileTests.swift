import Foundation
import PouchDomain
import PouchEntities
@testable import PouchImport
import Testing

@Suite("The demo catalogue")
struct DemoCatalogueTests {
    private static let folder = FeedFixture.root.appending(path: "Server/Demo")

    private func read() throws -> [FeedRecord] {
        try FeedFixture.all(LayersReader(folder: Self.folder, currency: .eur))
    }

    @Test func `The demo catalogue has no invalid row`() throws {
        #expect(try read().errors == [])
    }

    @Test func `The demo catalogue covers seasons, themes, categories, options, stock levels and reductions`() throws {
        let records = try read()
        #expect(records.seasons.map(\.id) == ["71", "72"])
        // Without dates the whole demo is always on sale.
        #expect(records.seasons.allSatisfy { $0.startsAt == nil && $0.endsAt == nil })
        #expect(Set(records.themes.map(\.seasonId)) == ["71", "72"])
        #expect(records.products.count >= 60)
        #expect(Set(records.products.compactMap(\.categoryName)).count >= 12)
        #expect(Set(records.variants.compactMap { $0.options["Colour"] }).count == 10)
        #expect(Set(records.variants.compactMap { $0.options["Size"] }) == ["XS", "S", "M", "L", "XL"])
        #expect(records.variants.contains { $0.stock == 0 })
        #expect(records.variants.contains { (1...Availability.lowStock).contains($0.stock ?? 0) })
        #expect(records.variants.contains { $0.compareAtPrice != nil })
    }

    @Test func `Every product has a theme, texts and an image for each colour`() throws {
        let records = try read()
        let themes = Set(records.themes.map(\.id))
        for product in records.products {
            #expect(themes.contains(product.themeId ?? ""))
            #expect(product.description?.isEmpty == false)
            #expect(product.materials?.isEmpty == false)
            #expect(product.careInstructions?.isEmpty == false)
            let colours = product.options?.first { $0.name == "Colour" }?.values
            #expect(product.images?.count == colours?.count)
        }
        let handles = records.products.map(\.handle)
        #expect(Set(handles).count == handles.count)
    }

    @Test func `Five promotions show products of the catalogue, each with its own image`() throws {
        let records = try read()
        let styles = Set(records.products.compactMap(\.styleCode))
        #expect(records.promotions.count == 5)
        #expect(records.promotions.allSatisfy { styles.contains($0.styleCode) })
        #expect(Set(records.promotions.compactMap(\.image?.url)).count == 5)
    }

    @Test func `Images are small, and all are used`() throws {
        let assets = try read().assets
        let bytes: Int = assets.map(\.byteCount).reduce(0, +)
        #expect(bytes < 2 << 20)
        #expect(assets.allSatisfy { (500...10_000).contains($0.byteCount) })
        for part in ["products", "slides"] {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: Self.folder.appending(path: part).path)
            let paths = files.map { "\(part)/\($0)" }
            #expect(Set(paths).subtracting(assets.map(\.path)) == [])
        }
    }
}

@Suite("Shopify's sample files", .enabled(if: FeedFixture.hasRealFiles))
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
        #expect(records.products.map { $0.images?.count ?? 0 }.reduce(0, +) == 41)
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

    @Test func `All prices add up exactly`() throws {
        let cents = try read("shopify-jewelery.csv").variants.map(\.price.amount).reduce(0, +)
        let file = try String(
            contentsOf: FeedFixture.realFiles.appending(path: "shopify-jewelery.csv"), encoding: .utf8)
        // The price follows the inventory policy and the fulfilment service.
        let prices = file.components(separatedBy: ",deny,manual,").dropFirst().map { $0.prefix { $0 != "," } }
        let expected = prices.reduce(Int64(0)) { sum, text in
            sum + (Money(decimal: String(text), currency: .eur)?.amount ?? .min)
        }
        #expect(prices.count == 23)
        #expect(cents == expected)
    }
}
