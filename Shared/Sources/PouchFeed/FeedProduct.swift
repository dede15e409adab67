import PouchEntities

/// What one record of a feed says of a product.
///
/// In all optional properties nil stands for what the feed does not name, which the catalogue keeps, and an empty text
/// or list for what the feed clears.
public struct FeedProduct: Codable, Sendable, Equatable {
    /// The physical line on which the record begins, from 1.
    public let line: Int
    /// `[a-z0-9-]`
    public let handle: String
    /// The product's identity where the feed has one; a product that keeps it keeps its handle in the catalogue too.
    public let styleCode: String?
    public let name: String?
    /// Plain text.
    public let description: String?
    public let seasonId: String?
    public let themeId: String?
    public let categoryName: String?
    public let tags: [String]?
    public let materials: [String]?
    public let careInstructions: String?
    /// Only with values that this record's variants have: other variants of the product stay, and so do their values.
    public let options: [ProductOption]?
    public let images: [ProductImage]?
    public let promoImage: FeedChange<ProductImage>?
    /// Each SKU once.
    public let variants: [FeedVariant]

    /// Whether the record goes on with a product that stands earlier in the feed or in the catalogue: its variants and
    /// images are to be added to those.
    public var isContinuation: Bool { name == nil }

    public init(
        line: Int,
        handle: String,
        styleCode: String? = nil,
        name: String? = nil,
        description: String? = nil,
        seasonId: String? = nil,
        themeId: String? = nil,
        categoryName: String? = nil,
        tags: [String]? = nil,
        materials: [String]? = nil,
        careInstructions: String? = nil,
        options: [ProductOption]? = nil,
        images: [ProductImage]? = nil,
        promoImage: FeedChange<ProductImage>? = nil,
        variants: [FeedVariant]
    ) {
        self.line = line
        self.handle = handle
        self.styleCode = styleCode
        self.name = name
        self.description = description
        self.seasonId = seasonId
        self.themeId = themeId
        self.categoryName = categoryName
        self.tags = tags
        self.materials = materials
        self.careInstructions = careInstructions
        self.options = options
        self.images = images
        self.promoImage = promoImage
        self.variants = variants
    }
}

extension FeedProduct {
    /// The same with other variants.
    public func with(variants: [FeedVariant]) -> FeedProduct {
        FeedProduct(
            line: line, handle: handle, styleCode: styleCode, name: name, description: description,
            seasonId: seasonId, themeId: themeId, categoryName: categoryName, tags: tags, materials: materials,
            careInstructions: careInstructions, options: options, images: images, promoImage: promoImage,
            variants: variants)
    }
}
