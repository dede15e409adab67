import ServerTesting
import Testing

@testable import PouchDomain

/// Changes are applied to a snapshot product by product. The result has to equal a snapshot that is built from nothing.
@Suite("Changes of a catalogue snapshot")
struct CatalogUpdateTests {
    @Test(arguments: UInt64(1)...12)
    func `A snapshot after any changes equals one that is built from the changed catalogue`(seed: UInt64) throws {
        var model = ChangingCatalog(seed: seed)
        var snapshot = CatalogSnapshot(model.content)
        for _ in 0..<30 {
            snapshot = snapshot.applying(model.change())
            try model.expect(snapshot)
        }
    }

    @Test(arguments: UInt64(21)...32)
    func `An answer that counts as current is the one that the new snapshot gives`(seed: UInt64) throws {
        var model = ChangingCatalog(seed: seed)
        var snapshot = CatalogSnapshot(model.content)
        var known: [(query: ProductQuery, listing: ProductListing, footprint: CatalogFootprint, serial: Int)] = []
        var (kept, dropped) = (0, 0)
        for _ in 0..<40 {
            for _ in 0..<4 {
                let (query, reading) = (model.random.query(), CatalogReading(snapshot))
                known.append((query, try reading.page(query, after: nil), reading.footprint, snapshot.serial))
            }
            snapshot = snapshot.applying(model.change())
            let before = known.count
            known.removeAll { !snapshot.isCurrent($0.footprint, since: $0.serial) }
            dropped += before - known.count
            for answer in known {
                let now = try snapshot.page(answer.query)
                #expect(now.items == answer.listing.items && now.facets == answer.listing.facets, "\(answer.query)")
                #expect(now.next == answer.listing.next, "\(answer.query)")
            }
            kept += known.count
        }
        #expect(kept > 0 && dropped > 0)
    }

    private let products = [
        Product.sample("a", category: "hats"), .sample("b", category: "socks", price: 700),
        .sample("c", category: "socks", price: 900),
    ]

    /// Whether an answer survives a change.
    private func survives(
        _ update: (inout CatalogUpdate) -> Void, read: (CatalogReading) throws -> Void
    ) throws -> Bool {
        let snapshot = CatalogSnapshot(products: products)
        let reading = CatalogReading(snapshot)
        try read(reading)
        var changes = CatalogUpdate(moment: snapshot.parts.moment, version: 1)
        update(&changes)
        return snapshot.applying(changes).isCurrent(reading.footprint, since: snapshot.serial)
    }

    @Test func `A sale drops the answers that show the product, and no other`() throws {
        let sale = { (update: inout CatalogUpdate) in update.availability = ["a-1": 7] }
        #expect(try !survives(sale) { _ = $0.product(handle: "handle-a") })
        #expect(try survives(sale) { _ = $0.product(handle: "handle-b") })
        #expect(try !survives(sale) { _ = try $0.page(ProductQuery(), after: nil) })
        for query in [
            ProductQuery(category: "socks"), ProductQuery(category: "socks", inStock: true),
            ProductQuery(category: "socks", sort: .priceAscending), ProductQuery(category: "socks", facets: true),
        ] { #expect(try survives(sale) { _ = try $0.page(query, after: nil) }, "\(query)") }
        #expect(try survives(sale) { _ = ($0.seasons, $0.themes(season: nil), $0.categories(season: nil)) })
    }

    @Test func `The last sale of a variant drops lists that select by stock, too`() throws {
        let sale = { (update: inout CatalogUpdate) in update.availability = ["a-1": 0] }
        #expect(try !survives(sale) { _ = try $0.page(ProductQuery(category: "socks", inStock: true), after: nil) })
        #expect(try survives(sale) { _ = try $0.page(ProductQuery(category: "socks"), after: nil) })
    }

    @Test func `A price edit drops what shows the product or selects by price, and shares the index`() throws {
        let edit = { (update: inout CatalogUpdate) in
            update.productIds = ["a"]
            update.products = [.sample("a", category: "hats", price: 300)]
            update.version = 2
        }
        #expect(try !survives(edit) { _ = $0.product(handle: "handle-a") })
        #expect(try survives(edit) { _ = $0.product(handle: "handle-b") })
        #expect(try survives(edit) { _ = try $0.page(ProductQuery(category: "socks"), after: nil) })
        let dear = ProductQuery(category: "socks", minPrice: Money(800, .eur))
        let cheapest = ProductQuery(category: "socks", sort: .priceAscending)
        for query in [dear, cheapest] { #expect(try !survives(edit) { _ = try $0.page(query, after: nil) }) }
        let before = CatalogSnapshot(products: products)
        var update = CatalogUpdate(moment: before.parts.moment, version: 1)
        edit(&update)
        let after = before.applying(update)
        #expect(after.parts.index === before.parts.index)
        #expect(
            try after.ids(cheapest) == ["b", "c"] && after.ids(ProductQuery(sort: .priceAscending)) == ["a", "b", "c"])
        #expect(try before.ids(ProductQuery(sort: .priceAscending)) == ["b", "c", "a"])
    }

    @Test func `A change of a product's text drops all answers`() throws {
        let edit = { (update: inout CatalogUpdate) in
            update.productIds = ["a"]
            update.products = [.sample("a", name: "Other", category: "hats")]
        }
        #expect(try !survives(edit) { _ = $0.product(handle: "handle-b") })
        #expect(try !survives(edit) { _ = $0.categories(season: nil) })
    }
}

/// A catalogue with seasons that changes at random, and the same changes as a server would read them.
private struct ChangingCatalog {
    var random: RandomCatalog
    private var products: [Product]
    private var taxonomy: CatalogTaxonomy
    private var moment = Date(timeIntervalSince1970: 1_000)
    private var version: Int64 = 1
    private var added = 100

    init(seed: UInt64) {
        random = RandomCatalog(seed: seed)
        products = random.products(25)
        taxonomy = CatalogTaxonomy(seasons: [], themes: [], categoryNames: ["hats": "Headwear"], promotions: [])
        taxonomy = self.otherTaxonomy()
    }

    var content: CatalogContent {
        CatalogContent(
            moment: moment, version: version, currency: .eur, seasons: taxonomy.seasons, themes: taxonomy.themes,
            categoryNames: taxonomy.categoryNames, products: products, promotions: taxonomy.promotions)
    }

    /// Changes the catalogue.
    mutating func change() -> CatalogUpdate {
        var update = CatalogUpdate(moment: moment, version: version)
        if random.chance(3) {
            for _ in 0...Int.random(in: 0...3, using: &random.random) { edit(&update) }
            version += 1
        }
        if random.chance(3) {
            moment.addTimeInterval(Double(Int.random(in: 1...400, using: &random.random)))
            for variant in products.flatMap(\.variants) where random.chance(12) {
                let price = Money(Int64.random(in: 1...5, using: &random.random) * 100, .eur)
                let compareAt = random.chance(2) ? Money(900, .eur) : nil
                update.prices.append(VariantPrice(sku: variant.sku, price: price, compareAtPrice: compareAt))
                reprice(variant.sku, price, compareAt)
            }
        }
        for variant in products.flatMap(\.variants) where random.chance(8) {
            let units = Int.random(in: 0...2, using: &random.random)
            update.availability[variant.sku] = units
            products = products.map { product in
                product.with(variants: product.variants.map { $0.sku == variant.sku ? $0.with(available: units) : $0 })
            }
        }
        if random.chance(10) {
            taxonomy = otherTaxonomy()
            update.taxonomy = taxonomy
            version += 1
        }
        update.version = version
        update.moment = moment
        // The store has the products as they are by now.
        update.products = products.filter { update.productIds.contains($0.id) }
        return update
    }

    /// Edits the price or the texts of a product, adds one, or removes one.
    private mutating func edit(_ update: inout CatalogUpdate) {
        let place = Int.random(in: products.indices, using: &random.random)
        let old = products[place]
        update.productIds.insert(old.id)
        switch Int.random(in: 0..<12, using: &random.random) {
        case 0: products[place] = random.product(number: (Int(old.id.dropFirst(4)) ?? 0) - 10_000)
        case 1 where products.count > 5: products.remove(at: place)
        case 2:
            added += 1
            products.append(random.product(number: random.chance(2) ? added : added - 9_000))
            update.productIds.insert(products[products.count - 1].id)
        case 3: products[place] = old.with(variants: old.variants, careInstructions: "Wash \(version).")
        default:
            guard let variant = old.variants.first else { return }
            reprice(variant.sku, Money(Int64.random(in: 1...5, using: &random.random) * 100, .eur), nil)
        }
    }

    private mutating func reprice(_ sku: String, _ price: Money, _ compareAt: Money?) {
        products = products.map { product in
            let variants = product.variants.map {
                $0.sku == sku ? $0.with(price: price, compareAtPrice: .some(compareAt)) : $0
            }
            guard variants != product.variants else { return product }
            let cheapest = variants.min { $0.price.amount < $1.price.amount }
            return product.with(
                variants: variants, price: cheapest?.price, compareAtPrice: .some(cheapest?.compareAtPrice))
        }
    }

    private mutating func otherTaxonomy() -> CatalogTaxonomy {
        func time() -> Date? {
            if random.chance(3) { return nil }
            return moment.addingTimeInterval(Double(Int.random(in: -500...2_000, using: &random.random)))
        }
        return CatalogTaxonomy(
            seasons: ["71", "72"].map {
                Season(id: $0, name: random.chance(4) ? "Sale" : "S", startsAt: time(), endsAt: time())
            },
            themes: ["711", "712", "721"].map { Theme(id: $0, name: "T" + $0, seasonId: String($0.prefix(2))) },
            categoryNames: ["hats": random.chance(3) ? "Hats" : "Headwear"],
            promotions: products.prefix(4).enumerated().map { place, product in
                .init(productId: product.id, image: ProductImage(url: "/a", alt: ""), position: place)
            })
    }

    /// Compares all reads of the snapshot with those of one that is built from nothing.
    mutating func expect(_ snapshot: CatalogSnapshot) throws {
        let fresh = CatalogSnapshot(content)
        #expect(snapshot.version == fresh.version && snapshot.validUntil == fresh.validUntil)
        #expect(snapshot.seasons == fresh.seasons && snapshot.themes() == fresh.themes())
        #expect(snapshot.categories() == fresh.categories() && snapshot.promotions == fresh.promotions)
        for product in products {
            #expect(snapshot.product(handle: product.handle) == fresh.product(handle: product.handle))
            for variant in product.variants {
                #expect(snapshot.availability(sku: variant.sku) == fresh.availability(sku: variant.sku))
            }
        }
        for _ in 0..<12 {
            let query = random.query()
            let (one, other) = (try snapshot.page(query), try fresh.page(query))
            #expect(one.items == other.items, "\(query)")
            #expect(one.facets == other.facets && one.next == other.next, "\(query)")
        }
    }
}

extension Variant {
    fileprivate func with(price: Money? = nil, compareAtPrice: Money?? = nil, available: Int? = nil) -> Variant {
        Variant(
            sku: sku, options: options, price: price ?? self.price,
            compareAtPrice: compareAtPrice ?? self.compareAtPrice, available: available ?? self.available,
            weightGrams: weightGrams)
    }
}

extension Product {
    fileprivate func with(
        variants: [Variant], price: Money? = nil, compareAtPrice: Money?? = nil, careInstructions: String? = nil
    ) -> Product {
        Product(
            id: id, handle: handle, styleCode: styleCode, name: name, description: description, seasonId: seasonId,
            themeId: themeId, category: category, tags: tags, price: price ?? self.price,
            compareAtPrice: compareAtPrice ?? self.compareAtPrice, materials: materials,
            careInstructions: careInstructions ?? self.careInstructions, options: options, images: images,
            promoImage: promoImage, updatedAt: updatedAt, variants: variants)
    }
}
