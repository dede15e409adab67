import Foundation
import PouchEntities

/// A product as it is kept, without what changes by itself.
public struct CatalogEntry: Sendable, Equatable {
    public struct Variant: Sendable, Equatable {
        public let sku: String
        public var options: [String: String]
        public var price: Money
        public var compareAtPrice: Money?
        public var weightGrams: Int?
        /// The units that the last import named; sales don't change it.
        public var importedStock: Int?

        public init(
            sku: String,
            options: [String: String],
            price: Money,
            compareAtPrice: Money? = nil,
            weightGrams: Int? = nil,
            importedStock: Int? = nil
        ) {
            self.sku = sku
            self.options = options
            self.price = price
            self.compareAtPrice = compareAtPrice
            self.weightGrams = weightGrams
            self.importedStock = importedStock
        }
    }

    public let id: String
    public let handle: String
    public var styleCode: String?
    public var name: String
    public var description: String?
    public var seasonId: String?
    public var themeId: String?
    public var categoryId: String
    public var tags: [String]
    public var materials: [String]?
    public var careInstructions: String?
    public var options: [ProductOption]
    public var images: [ProductImage]
    public var promoImage: ProductImage?
    public var updatedAt: Date
    public var variants: [Variant]

    public init(
        id: String,
        handle: String,
        styleCode: String? = nil,
        name: String,
        description: String? = nil,
        seasonId: String? = nil,
        themeId: String? = nil,
        categoryId: String,
        tags: [String] = [],
        materials: [String]? = nil,
        careInstructions: String? = nil,
        options: [ProductOption] = [],
        images: [ProductImage] = [],
        promoImage: ProductImage? = nil,
        updatedAt: Date,
        variants: [Variant] = []
    ) {
        self.id = id
        self.handle = handle
        self.styleCode = styleCode
        self.name = name
        self.description = description
        self.seasonId = seasonId
        self.themeId = themeId
        self.categoryId = categoryId
        self.tags = tags
        self.materials = materials
        self.careInstructions = careInstructions
        self.options = options
        self.images = images
        self.promoImage = promoImage
        self.updatedAt = updatedAt
        self.variants = variants
    }
}

extension CatalogEntry {
    /// What customers see of it.
    ///
    /// - Returns: nil without a variant, since it would have no price.
    public func product(variants: [PouchEntities.Variant]) -> Product? {
        guard let cheapest = variants.min(by: { $0.price.amount < $1.price.amount }) else { return nil }
        return Product(
            id: id, handle: handle, styleCode: styleCode, name: name, description: description,
            seasonId: seasonId, themeId: themeId, category: categoryId, tags: tags, price: cheapest.price,
            compareAtPrice: cheapest.compareAtPrice, materials: materials, careInstructions: careInstructions,
            options: options, images: images, promoImage: promoImage, updatedAt: updatedAt, variants: variants)
    }
}
