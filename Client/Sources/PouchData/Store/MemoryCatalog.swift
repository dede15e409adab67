import Foundation
import PouchEntities

struct MemoryCatalog {
    struct Entry {
        let product: Product
        let nameWords: [String]
        let otherWords: [String]
        let variants: [ListedVariant]

        init(_ product: Product, _ variants: [ListedVariant]) {
            self.product = product
            self.variants = variants
            nameWords = product.nameWords
            otherWords = product.otherWords
        }
    }

    private(set) var entries: [Product.ID: Entry] = [:]
    private var idsByHandle: [String: Product.ID] = [:]
    private var idsBySKU: [String: Product.ID] = [:]
    private var choiceNumbers: [OptionValue: Int] = [:]
    var taxonomy = CatalogTaxonomy()
    var publishedAt: Date?

    func product(handle: String) -> Product? { idsByHandle[handle].flatMap { entries[$0]?.product } }

    func product(sku: String) -> Product? { idsBySKU[sku].flatMap { entries[$0]?.product } }

    mutating func put(_ product: Product) {
        remove(product.id)
        if let other = idsByHandle[product.handle] { remove(other) }
        entries[product.id] = Entry(product, product.variants.map { listed($0) })
        idsByHandle[product.handle] = product.id
        for variant in product.variants { idsBySKU[variant.sku] = product.id }
    }

    mutating func merge(_ products: [Product]) {
        for product in products where entries[product.id].map({ $0.product.updatedAt <= product.updatedAt }) ?? true {
            put(product)
        }
    }

    /// Replaces the parts that are not nil, and merges the products of promotions.
    mutating func update(_ new: CatalogTaxonomy) {
        taxonomy = CatalogTaxonomy(
            seasons: new.seasons ?? taxonomy.seasons, themes: new.themes ?? taxonomy.themes,
            categories: new.categories ?? taxonomy.categories, promotions: new.promotions ?? taxonomy.promotions)
        merge((new.promotions ?? []).map(\.product))
    }

    var promotions: [Promotion] {
        (taxonomy.promotions ?? []).compactMap { promotion in
            product(handle: promotion.product.handle).map {
                Promotion(product: $0, image: promotion.image, position: promotion.position)
            }
        }
        .sorted { $0.position < $1.position }
    }

    func categories(season: String?) -> [PouchEntities.Category] {
        guard publishedAt != nil else { return season == nil ? taxonomy.categories ?? [] : [] }
        var counts: [String: Int] = [:]
        for entry in entries.values where season == nil || entry.product.seasonId == season {
            counts[entry.product.category, default: 0] += 1
        }
        return PouchEntities.Category.counted(counts, named: taxonomy.categories)
    }

    /// The choices of all variants.
    var choices: some Sequence<(number: Int, choice: OptionValue)> {
        choiceNumbers.lazy.map { (number: $0.value, choice: $0.key) }
    }

    private mutating func listed(_ variant: Variant) -> ListedVariant {
        let numbers = variant.options.map { name, value in
            let choice = OptionValue(name: name, value: value)
            if let known = choiceNumbers[choice] { return known }
            choiceNumbers[choice] = choiceNumbers.count
            return choiceNumbers.count - 1
        }
        return ListedVariant(available: variant.available, choices: numbers)
    }

    private mutating func remove(_ id: Product.ID) {
        guard let old = entries.removeValue(forKey: id) else { return }
        idsByHandle[old.product.handle] = nil
        for variant in old.product.variants where idsBySKU[variant.sku] == id { idsBySKU[variant.sku] = nil }
    }
}

extension ProductQuery {
    /// The page of these products, as from a store in memory that holds them.
    package func page(of products: [Product]) throws(StoreError) -> ProductPage {
        var catalog = MemoryCatalog()
        for product in products { catalog.put(product) }
        return try MemoryListing(self).page(of: catalog)
    }
}
