import Foundation
import PouchJSON

/// A product for administrators, in any status.
public struct ManagedProduct: JSONModel, Hashable, Identifiable {
    public let id: String
    /// The version, which increases with each change but not with sales; the product's ETag.
    public let version: Int
    public let state: ProductState
    public let details: ProductDetails
    public let updatedAt: Date
    /// The variants in display order. A draft may have none.
    public let variants: [StockedVariant]

    public init(
        id: String, version: Int, state: ProductState, details: ProductDetails, updatedAt: Date,
        variants: [StockedVariant]
    ) {
        self.id = id
        self.version = version
        self.state = state
        self.details = details
        self.updatedAt = updatedAt
        self.variants = variants
    }

    public var handle: String { details.handle }
    public var name: String { details.name }
    public var status: ProductStatus { state.status }

    /// The JSON object contains state and details at the same level as the other fields.
    public static let json = JSONObject(
        ManagedProduct.init, .field("id", \.id), .field("version", \.version), .fields(of: \.state),
        .fields(of: \.details), .field("updatedAt", \.updatedAt), .field("variants", \.variants))
}

/// Whether a product is for sale. Only a published one is shown and can be bought.
public enum ProductStatus: String, OpenEnum {
    /// Never on sale so far.
    case draft
    case published
    /// Was on sale, and can be again.
    case withdrawn
    /// No longer in the range. Staff can change it back to withdrawn.
    case archived
    case unrecognised
}

/// The status of a product, with the times of its scheduled changes.
public struct ProductState: JSONModel, Hashable {
    public let status: ProductStatus
    /// The time from which the product is published.
    public let publishAt: Date?
    /// The time from which the product is no longer published; after `publishAt` if both are set.
    public let withdrawAt: Date?

    public init(_ status: ProductStatus, publishAt: Date? = nil, withdrawAt: Date? = nil) {
        self.status = status
        self.publishAt = publishAt
        self.withdrawAt = withdrawAt
    }

    public static let json = JSONObject(
        ProductState.init, .field("status", \.status), .field("publishAt", \.publishAt),
        .field("withdrawAt", \.withdrawAt))
}

/// The customer-facing data of a product, without its variants.
public struct ProductDetails: JSONModel, Hashable {
    /// The unique name in URLs, `[a-z0-9-]`.
    public let handle: String
    public let name: String
    public let styleCode: String?
    /// The description as plain text.
    public let description: String?
    public let seasonId: String?
    public let themeId: String?
    /// The id of the product's category.
    public let category: String
    public let tags: [String]
    public let materials: [String]?
    public let careInstructions: String?
    /// The options in display order, with the values that the variants have.
    public let options: [ProductOption]
    /// The images in display order.
    public let images: [ProductImage]
    public let promoImage: ProductImage?

    public init(
        handle: String, name: String, styleCode: String? = nil, description: String? = nil, seasonId: String? = nil,
        themeId: String? = nil, category: String, tags: [String] = [], materials: [String]? = nil,
        careInstructions: String? = nil, options: [ProductOption] = [], images: [ProductImage] = [],
        promoImage: ProductImage? = nil
    ) {
        self.handle = handle
        self.name = name
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
    }

    public static let json = JSONObject(
        ProductDetails.init, .field("handle", \.handle), .field("name", \.name), .field("styleCode", \.styleCode),
        .field("description", \.description), .field("seasonId", \.seasonId), .field("themeId", \.themeId),
        .field("category", \.category), .field("tags", \.tags), .field("materials", \.materials),
        .field("careInstructions", \.careInstructions), .field("options", \.options), .field("images", \.images),
        .field("promoImage", \.promoImage))
}

/// A variant with its own price, ignoring scheduled prices, and its exact stock.
public struct StockedVariant: JSONModel, Hashable {
    public let sku: String
    /// The value of each of the product's options.
    public let options: [String: String]
    public let price: Money
    public let compareAtPrice: Money?
    public let weightGrams: Int?
    /// The available units: `onHand` minus `held`.
    public let available: Int
    public let onHand: Int
    /// The units held for orders that are not paid yet.
    public let held: Int

    public init(
        sku: String, options: [String: String] = [:], price: Money, compareAtPrice: Money? = nil,
        weightGrams: Int? = nil, available: Int, onHand: Int, held: Int
    ) {
        self.sku = sku
        self.options = options
        self.price = price
        self.compareAtPrice = compareAtPrice
        self.weightGrams = weightGrams
        self.available = available
        self.onHand = onHand
        self.held = held
    }

    public static let json = JSONObject(
        StockedVariant.init, .field("sku", \.sku), .field("options", \.options), .field("price", \.price),
        .field("compareAtPrice", \.compareAtPrice), .field("weightGrams", \.weightGrams),
        .field("available", \.available), .field("onHand", \.onHand), .field("held", \.held))
}

/// A product on the front page, in any status. Customers see it while the product is published.
public struct ManagedPromotion: JSONModel, Hashable {
    public let productId: String
    public let handle: String
    public let name: String
    public let status: ProductStatus
    public let image: ProductImage
    /// The position in display order, from 0.
    public let position: Int

    public init(
        productId: String, handle: String, name: String, status: ProductStatus, image: ProductImage, position: Int
    ) {
        self.productId = productId
        self.handle = handle
        self.name = name
        self.status = status
        self.image = image
        self.position = position
    }

    public static let json = JSONObject(
        ManagedPromotion.init, .field("productId", \.productId), .field("handle", \.handle), .field("name", \.name),
        .field("status", \.status), .field("image", \.image), .field("position", \.position))
}

/// A stored picture, which any number of products can use.
public struct Picture: JSONModel, Hashable {
    /// A path on the server, derived from the picture's content; the `url` of a product's image.
    public let url: String
    public let mediaType: String
    /// The width in pixels.
    public let width: Int
    public let height: Int
    public let byteCount: Int

    public init(url: String, mediaType: String, width: Int, height: Int, byteCount: Int) {
        self.url = url
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.byteCount = byteCount
    }

    public static let json = JSONObject(
        Picture.init, .field("url", \.url), .field("mediaType", \.mediaType), .field("width", \.width),
        .field("height", \.height), .field("byteCount", \.byteCount))
}
