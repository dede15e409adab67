import PouchEntities

extension Product {
    /// The same product with other figures of availability, one for each of its variants.
    func withAvailability(_ available: ArraySlice<Int>) -> Product {
        guard !zip(variants, available).allSatisfy({ $0.available == $1 }) else { return self }
        return Product(
            id: id, handle: handle, styleCode: styleCode, name: name, description: description, seasonId: seasonId,
            themeId: themeId, category: category, tags: tags, price: price, compareAtPrice: compareAtPrice,
            materials: materials, careInstructions: careInstructions, options: options, images: images,
            promoImage: promoImage, updatedAt: updatedAt,
            variants: zip(variants, available).map { variant, available in
                Variant(
                    sku: variant.sku, options: variant.options, price: variant.price,
                    compareAtPrice: variant.compareAtPrice, available: available, weightGrams: variant.weightGrams)
            })
    }
}
