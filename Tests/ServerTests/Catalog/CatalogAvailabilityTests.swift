import PouchDomain
import PouchEntities
import Testing

@Suite("Availability in the catalogue")
struct CatalogAvailabilityTests {
    private let before = CatalogSnapshot(
        CatalogContent(
            version: 4,
            currency: .eur,
            products: [
                .sample("a", variants: [.sample("a1", ["Size": "S"], available: 0), .sample("a2", ["Size": "M"])]),
                .sample("b", variants: [.sample("b1", price: 700, available: 9)]),
            ],
            promotions: [
                .init(productId: "a", image: ProductImage(url: "/assets/a.svg", alt: "A"), position: 1),
                .init(productId: "gone", image: ProductImage(url: "/assets/g.svg", alt: "G"), position: 0),
            ]))

    @Test("New figures show everywhere, and the old snapshot keeps its own")
    func change() throws {
        let after = before.withAvailability(["a1": 5, "a2": 0, "nobody": 3])
        #expect(after.version == 4)
        #expect(after.product(handle: "handle-a")?.variants.map(\.available) == [5, 0])
        #expect(after.variant(sku: "a1")?.variant.available == 5)
        #expect(after.availability(sku: "a2").status == .soldOut)
        #expect(after.promotions.map { $0.product.variants.map(\.available) } == [[5, 0]])
        #expect(try after.page(ProductQuery()).items.last?.variants.map(\.available) == [5, 0])
        let small = ProductQuery(options: ["Size": ["S"]], inStock: true, facets: true)
        #expect(try before.ids(small) == [])
        #expect(try after.ids(small) == ["a"])
        let sizes = try after.page(small).facets?.last
        #expect(sizes == Facet(name: "option.Size", values: [.init(value: "S", count: 1)]))
        #expect(before.availability(sku: "a1").available == 0)
    }

    @Test("Figures that are no news give the same snapshot")
    func noChange() {
        #expect(before.withAvailability(["a2": 1, "nobody": 3]) === before)
        #expect(before.withAvailability(["a2": 2]) !== before)
    }

    @Test("Figures after many changes are those of a catalogue loaded with them", arguments: UInt64(1)...4)
    func likeLoaded(seed: UInt64) throws {
        var random = RandomCatalog(seed: seed)
        let products = random.products(30)
        var figures: [String: Int] = [:]
        for sku in products.flatMap(\.variants).map(\.sku) { figures[sku] = random.chance(2) ? 0 : 3 }
        let loaded = products.map { product in
            Product.sample(
                product.id, name: product.name, description: product.description, season: product.seasonId,
                theme: product.themeId, category: product.category, tags: product.tags, price: product.price.amount,
                variants: product.variants.map { .sample($0.sku, $0.options, available: figures[$0.sku] ?? 0) })
        }
        let changed = CatalogSnapshot(products: products).withAvailability(figures)
        let fresh = CatalogSnapshot(products: loaded)
        for _ in 0..<40 {
            let query = random.query()
            let (one, other) = (try changed.page(query), try fresh.page(query))
            #expect(one.items == other.items, "\(query)")
            #expect(one.facets == other.facets, "\(query)")
        }
    }

    @Test("Availability has the variant's price and figure, and says when a SKU is unknown")
    func lookup() {
        #expect(before.availability(sku: "b1") == Availability(sku: "b1", price: Money(700, .eur), available: 9))
        #expect(before.availability(sku: "B1") == Availability(unknown: "B1"))
        #expect(before.variant(sku: "a2")?.product.id == "a")
        #expect(before.variant(sku: "nobody") == nil)
        #expect(before.product(handle: "handle-b")?.id == "b")
        #expect(before.product(handle: "b") == nil)
    }
}
