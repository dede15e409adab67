import Foundation

/// Something in the catalogue, with all its variants.
public struct Product: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    /// The name for URLs, unique, `[a-z0-9-]`.
    public let handle: String
    public let styleCode: String?
    public let name: String
    /// Plain text.
    public let description: String?
    public let seasonId: String?
    public let themeId: String?
    /// The id of its category.
    public let category: String
    public let tags: [String]
    /// The cheapest variant's.
    public let price: Money
    public let compareAtPrice: Money?
    public let materials: [String]?
    public let careInstructions: String?
    /// In display order; empty for a product of one variant without choices.
    public let options: [ProductOption]
    public let images: [ProductImage]
    public let promoImage: ProductImage?
    public let updatedAt: Date
    public let variants: [Variant]

    public init(
        id: String,
        handle: String,
        styleCode: String? = nil,
        name: String,
        description: String? = nil,
        seasonId: String? = nil,
        themeId: String? = nil,
        category: String,
        tags: [String],
        price: Money,
        compareAtPrice: Money? = nil,
        materials: [String]? = nil,
        careInstructions: String? = nil,
        options: [ProductOption],
        images: [ProductImage],
        promoImage: ProductImage? = nil,
        updatedAt: Date,
        variants: [Variant]
    ) {
        self.id = id
        self.handle = handle
        self.styleCode = styleCode
        self.name = name
        self.description = description
        self.seasonId = seasonId
        self.themeId = themeId
        self.category = category
        self.tags = tags
        self.price = price
        self.compareAtPrice = compareAtPrice
        self.materials = materials
        self.careInstructions = careInstructions
        self.options = options
        self.images = images
        self.promoImage = promoImage
        self.updatedAt = updatedAt
        self.variants = variants
    }
}
