import PouchEntities

extension CatalogEntry {
    /// Takes over what the record names; the rest stays as it is.
    public mutating func merge(_ feed: FeedProduct, categoryId: String?) {
        styleCode = feed.styleCode ?? styleCode
        name = feed.name ?? name
        description = Self.merged(description, feed.description)
        seasonId = Self.merged(seasonId, feed.seasonId)
        themeId = Self.merged(themeId, feed.themeId)
        self.categoryId = categoryId ?? self.categoryId
        tags = feed.tags ?? tags
        materials = feed.materials.map { $0.isEmpty ? nil : $0 } ?? materials
        careInstructions = Self.merged(careInstructions, feed.careInstructions)
        if let images = feed.images {
            self.images = feed.isContinuation ? Self.union(self.images, images) : images
        }
        switch feed.promoImage {
        case .set(let image): promoImage = image
        case .cleared: promoImage = nil
        case nil: break
        }
        merge(feed.variants)
        if let options = feed.options { merge(options) }
    }

    private mutating func merge(_ feedVariants: [FeedVariant]) {
        for feed in feedVariants {
            let index = variants.firstIndex { $0.sku == feed.sku } ?? variants.count
            if index == variants.count {
                variants.append(Variant(sku: feed.sku, options: feed.options, price: feed.price))
            }
            variants[index].options = feed.options
            variants[index].price = feed.price
            variants[index].compareAtPrice = feed.compareAtPrice
            variants[index].weightGrams = feed.weightGrams ?? variants[index].weightGrams
            variants[index].importedStock = feed.stock ?? variants[index].importedStock
        }
    }

    /// The feed's options, with the values that other variants of the product still have behind the feed's own.
    private mutating func merge(_ feedOptions: [ProductOption]) {
        let old = Dictionary(options.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
        options = feedOptions.map { option in
            let inUse = Set(variants.compactMap { $0.options[option.name] })
            return ProductOption(
                name: option.name, values: Self.union(option.values, (old[option.name] ?? []).filter(inUse.contains)))
        }
    }

    /// An empty text clears.
    private static func merged(_ old: String?, _ new: String?) -> String? {
        guard let new else { return old }
        return new.isEmpty ? nil : new
    }

    private static func union<Element: Equatable>(_ old: [Element], _ new: [Element]) -> [Element] {
        old + new.filter { !old.contains($0) }
    }
}
