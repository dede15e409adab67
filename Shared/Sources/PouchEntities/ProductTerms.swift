import Foundation
import PouchJSON

/// The values of a product as set by an administrator.
public struct ProductTerms: JSONModel, Hashable {
    /// The name: `ModelLimits.productNameLength` characters.
    public var name: String
    /// The handle; nil to derive one from the name.
    public var handle: String?
    /// The status; nil for a draft.
    public var status: ProductStatus?
    public var publishAt: Date?
    public var withdrawAt: Date?
    public var styleCode: String?
    /// The description as plain text, up to `ModelLimits.descriptionLength` characters.
    public var description: String?
    public var seasonId: String?
    public var themeId: String?
    /// The id of a category; nil for the category of products without one.
    public var category: String?
    /// The tags, without commas, which separate them in a CSV file.
    public var tags: [String]?
    public var materials: [String]?
    public var careInstructions: String?
    /// The options in order, with the order of their values, including values that no variant has yet; nil for the
    /// order in the variants.
    public var options: [ProductOption]?
    /// The images in display order. Each has the URL of a stored picture or a web address.
    public var images: [ProductImage]?
    public var promoImage: ProductImage?
    /// The variants in display order. A published product has at least one.
    public var variants: [VariantTerms]?

    public init(
        name: String, handle: String? = nil, status: ProductStatus? = nil, publishAt: Date? = nil,
        withdrawAt: Date? = nil, styleCode: String? = nil, description: String? = nil, seasonId: String? = nil,
        themeId: String? = nil, category: String? = nil, tags: [String]? = nil, materials: [String]? = nil,
        careInstructions: String? = nil, options: [ProductOption]? = nil, images: [ProductImage]? = nil,
        promoImage: ProductImage? = nil, variants: [VariantTerms]? = nil
    ) {
        self.name = name
        self.handle = handle
        self.status = status
        self.publishAt = publishAt
        self.withdrawAt = withdrawAt
        self.styleCode = styleCode
        self.description = description
        self.seasonId = seasonId
        self.themeId = themeId
        self.category = category
        self.tags = tags
        self.materials = materials
        self.careInstructions = careInstructions
        self.options = options
        self.images = images
        self.promoImage = promoImage
        self.variants = variants
    }

    /// Creates the terms of a stored product.
    public init(_ product: ManagedProduct) {
        let details = product.details
        self.init(
            name: details.name, handle: details.handle, status: product.state.status,
            publishAt: product.state.publishAt, withdrawAt: product.state.withdrawAt, styleCode: details.styleCode,
            description: details.description, seasonId: details.seasonId, themeId: details.themeId,
            category: details.category, tags: details.tags, materials: details.materials,
            careInstructions: details.careInstructions, options: details.options, images: details.images,
            promoImage: details.promoImage, variants: product.variants.map(VariantTerms.init))
    }

    public static let json = JSONObject(
        ProductTerms.init(
            name:handle:status:publishAt:withdrawAt:styleCode:description:seasonId:themeId:category:tags:materials:
            careInstructions:options:images:promoImage:variants:),
        .field("name", \.name), .field("handle", \.handle), .field("status", \.status),
        .field("publishAt", \.publishAt), .field("withdrawAt", \.withdrawAt), .field("styleCode", \.styleCode),
        .field("description", \.description), .field("seasonId", \.seasonId), .field("themeId", \.themeId),
        .field("category", \.category), .field("tags", \.tags), .field("materials", \.materials),
        .field("careInstructions", \.careInstructions), .field("options", \.options), .field("images", \.images),
        .field("promoImage", \.promoImage), .field("variants", \.variants))
}

/// A variant as set by an administrator.
public struct VariantTerms: JSONModel, Hashable {
    /// The SKU; nil to derive one from the product's handle and the options. It cannot be changed, since orders refer
    /// to it.
    public var sku: String?
    /// The value of each of the product's options; a combination that no other variant has.
    public var options: [String: String]?
    public var price: Money
    /// The price before a reduction; must be higher than the price.
    public var compareAtPrice: Money?
    public var weightGrams: Int?
    /// The units on hand of a new variant, by default none. Not for an existing variant, whose stock changes with
    /// sales.
    public var stock: Int?

    public init(
        sku: String? = nil, options: [String: String]? = nil, price: Money, compareAtPrice: Money? = nil,
        weightGrams: Int? = nil, stock: Int? = nil
    ) {
        self.sku = sku
        self.options = options
        self.price = price
        self.compareAtPrice = compareAtPrice
        self.weightGrams = weightGrams
        self.stock = stock
    }

    /// Creates the terms of a stored variant.
    public init(_ variant: StockedVariant) {
        self.init(
            sku: variant.sku, options: variant.options, price: variant.price, compareAtPrice: variant.compareAtPrice,
            weightGrams: variant.weightGrams)
    }

    public static let json = JSONObject(
        VariantTerms.init(sku:options:price:compareAtPrice:weightGrams:stock:), .field("sku", \.sku),
        .field("options", \.options), .field("price", \.price), .field("compareAtPrice", \.compareAtPrice),
        .field("weightGrams", \.weightGrams), .field("stock", \.stock))
}

/// The values of a season, whose id is in the path.
public struct SeasonTerms: JSONModel, Hashable {
    public let name: String
    /// The start. Before it, customers see nothing of the season.
    public let startsAt: Date?
    /// The end. After it, products of the season are found only by their addresses.
    public let endsAt: Date?

    public init(name: String, startsAt: Date? = nil, endsAt: Date? = nil) {
        self.name = name
        self.startsAt = startsAt
        self.endsAt = endsAt
    }

    public static let json = JSONObject(
        SeasonTerms.init, .field("name", \.name), .field("startsAt", \.startsAt), .field("endsAt", \.endsAt))
}

/// A product for the front page.
public struct PromotionTerms: JSONModel, Hashable {
    /// The product's id or handle.
    public let product: String
    /// The image; nil for the product's own picture for promotions, otherwise its first picture.
    public let image: ProductImage?

    public init(product: String, image: ProductImage? = nil) {
        self.product = product
        self.image = image
    }

    public static let json = JSONObject(
        PromotionTerms.init, .field("product", \.product), .field("image", \.image))
}
