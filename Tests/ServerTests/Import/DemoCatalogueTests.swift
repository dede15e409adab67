import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import Testing

@Suite("The demo catalogue")
struct DemoCatalogueTests {
    private static let folder = FeedFixture.root.appending(path: "Server/Demo")

    private func read() throws -> [FeedRecord] {
        try FeedFixture.all(LayersReader(folder: Self.folder, currency: .eur))
    }

    @Test func `It is read without a bad row`() throws {
        #expect(try read().errors == [])
    }

    @Test func `It is as rich as a shop should be`() throws {
        let records = try read()
        #expect(records.seasons.map(\.id) == ["71", "72"])
        // Whatever the date, the whole demo is shown.
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

    @Test func `Every product has a place, a text, and a picture for each of its colours`() throws {
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

    @Test func `Five slides promote products of the catalogue, each with a picture of its own`() throws {
        let records = try read()
        let styles = Set(records.products.compactMap(\.styleCode))
        #expect(records.promotions.count == 5)
        #expect(records.promotions.allSatisfy { styles.contains($0.styleCode) })
        #expect(Set(records.promotions.compactMap(\.image?.url)).count == 5)
    }

    @Test func `Its pictures are small, and none lies about unused`() throws {
        let assets = try read().assets
        #expect(assets.map(\.byteCount).reduce(0, +) < 2 << 20)
        #expect(assets.allSatisfy { (500...10_000).contains($0.byteCount) })
        for room in ["products", "slides"] {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: Self.folder.appending(path: room).path)
            #expect(Set(files.map { "\(room)/\($0)" }).subtracting(assets.map(\.path)) == [])
        }
    }
}
