import Foundation
import PouchJSON

/// The values of a product as an administrator states them.
public struct ProductTerms: Codable, Sendable, Hashable {
    /// `ModelLimits.productNameLength` characters.
    public var name: String
    /// nil to make one from the name.
    public var handle: String?
    /// nil for a draft.
    public var status: ProductStatus?
    public var publishAt: Date?
    public var withdrawAt: Date?
    public var styleCode: String?
    /// Plain text, up to `ModelLimits.descriptionLength` characters.
    public var description: String?
    public var seasonId: String?
    public var themeId: String?
    /// The id of a category; nil for none, which is a category, too.
    public var category: String?
    /// Without commas, which separate them in a CSV file.
    public var tags: [String]?
    public var materials: [String]?
    public var careInstructions: String?
    /// The order of the options and of their values, and values that no variant has yet; nil for the order in which the
    /// variants name them.
    public var options: [ProductOption]?
    /// In display order. Each has the URL of a stored picture or a web address.
    public var images: [ProductImage]?
    public var promoImage: ProductImage?
    /// In display order. A published product has at least one.
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

    /// The terms of a stored product.
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
}

extension ProductTerms: JSONModel {
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

/// A variant as an administrator states it.
public struct VariantTerms: Codable, Sendable, Hashable {
    /// nil to make one from the product's handle and the options. It cannot be changed, since orders name it.
    public var sku: String?
    /// A value for each of the product's options, with a combination of its own.
    public var options: [String: String]?
    public var price: Money
    /// Higher than the price.
    public var compareAtPrice: Money?
    public var weightGrams: Int?
    /// The units on hand of a new variant, by default none. The stock of one that exists changes by itself as units are
    /// sold, so it is not stated here.
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

    /// The terms of a stored variant.
    public init(_ variant: StockedVariant) {
        self.init(
            sku: variant.sku, options: variant.options, price: variant.price, compareAtPrice: variant.compareAtPrice,
            weightGrams: variant.weightGrams)
    }
}

extension VariantTerms: JSONModel {
    public static let json = JSONObject(
        VariantTerms.init(sku:options:price:compareAtPrice:weightGrams:stock:), .field("sku", \.sku),
        .field("options", \.options), .field("price", \.price), .field("compareAtPrice", \.compareAtPrice),
        .field("weightGrams", \.weightGrams), .field("stock", \.stock))
}

/// The values of a season, whose id is in the path.
public struct SeasonTerms: Codable, Sendable, Hashable {
    public let name: String
    /// Before it, customers see nothing of the season.
    public let startsAt: Date?
    /// From it on, its products are found by their addresses alone.
    public let endsAt: Date?

    public init(name: String, startsAt: Date? = nil, endsAt: Date? = nil) {
        self.name = name
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}

extension SeasonTerms: JSONModel {
    public static let json = JSONObject(
        SeasonTerms.init, .field("name", \.name), .field("startsAt", \.startsAt), .field("endsAt", \.endsAt))
}

/// A product for the front page.
public struct PromotionTerms: Codable, Sendable, Hashable {
    /// An id or a handle.
    public let product: String
    /// nil for the product's own picture for promotions, else its first one.
    public let image: ProductImage?

    public init(product: String, image: ProductImage? = nil) {
        self.product = product
        self.image = image
    }
}

extension PromotionTerms: JSONModel {
    public static let json = JSONObject(
        PromotionTerms.init, .field("product", \.product), .field("image", \.image))
}
