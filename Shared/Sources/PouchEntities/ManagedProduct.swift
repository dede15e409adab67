import Foundation
import PouchJSON

/// A product as administrators see it, in every status.
public struct ManagedProduct: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    /// Rises with each change but not with sales; the product's ETag.
    public let version: Int
    public let state: ProductState
    public let details: ProductDetails
    public let updatedAt: Date
    /// In display order. A draft may have none.
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
}

/// The JSON object holds state and details at the same level as the other fields.
extension ManagedProduct: JSONModel {
    public static let json = JSONObject(
        ManagedProduct.init, .field("id", \.id), .field("version", \.version), .fields(of: \.state),
        .fields(of: \.details), .field("updatedAt", \.updatedAt), .field("variants", \.variants))
}

/// Whether a product is for sale. Only a published one is shown and can be bought.
public enum ProductStatus: String, OpenEnum {
    /// Was never on sale.
    case draft
    case published
    /// Was on sale, and may be again.
    case withdrawn
    /// No longer part of the range. Staff can change it back to withdrawn.
    case archived
    case unrecognised
}

/// The status of a product with the times at which it changes by itself.
public struct ProductState: Codable, Sendable, Hashable {
    public let status: ProductStatus
    /// The time from which it is published.
    public let publishAt: Date?
    /// The first moment at which it is no longer published; after `publishAt` if there are both.
    public let withdrawAt: Date?

    public init(_ status: ProductStatus, publishAt: Date? = nil, withdrawAt: Date? = nil) {
        self.status = status
        self.publishAt = publishAt
        self.withdrawAt = withdrawAt
    }
}

extension ProductState: JSONModel {
    public static let json = JSONObject(
        ProductState.init, .field("status", \.status), .field("publishAt", \.publishAt),
        .field("withdrawAt", \.withdrawAt))
}

/// The description of a product that customers read, without its variants.
public struct ProductDetails: Codable, Sendable, Hashable {
    /// The name in URLs, unique, `[a-z0-9-]`.
    public let handle: String
    public let name: String
    public let styleCode: String?
    /// Plain text.
    public let description: String?
    public let seasonId: String?
    public let themeId: String?
    /// The id of its category.
    public let category: String
    public let tags: [String]
    public let materials: [String]?
    public let careInstructions: String?
    /// In display order, with the values that the variants have.
    public let options: [ProductOption]
    /// In display order.
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
}

extension ProductDetails: JSONModel {
    public static let json = JSONObject(
        ProductDetails.init, .field("handle", \.handle), .field("name", \.name), .field("styleCode", \.styleCode),
        .field("description", \.description), .field("seasonId", \.seasonId), .field("themeId", \.themeId),
        .field("category", \.category), .field("tags", \.tags), .field("materials", \.materials),
        .field("careInstructions", \.careInstructions), .field("options", \.options), .field("images", \.images),
        .field("promoImage", \.promoImage))
}

/// A variant with its own price, ignoring scheduled prices, and its exact stock.
public struct StockedVariant: Codable, Sendable, Hashable {
    public let sku: String
    /// A value for each of the product's options.
    public let options: [String: String]
    public let price: Money
    public let compareAtPrice: Money?
    public let weightGrams: Int?
    /// Units that can be bought: `onHand` minus `held`.
    public let available: Int
    public let onHand: Int
    /// Units held for orders that are not paid yet.
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
}

extension StockedVariant: JSONModel {
    public static let json = JSONObject(
        StockedVariant.init, .field("sku", \.sku), .field("options", \.options), .field("price", \.price),
        .field("compareAtPrice", \.compareAtPrice), .field("weightGrams", \.weightGrams),
        .field("available", \.available), .field("onHand", \.onHand), .field("held", \.held))
}

/// A product on the front page, in any status. Customers see it while the product is published.
public struct ManagedPromotion: Codable, Sendable, Hashable {
    public let productId: String
    public let handle: String
    public let name: String
    public let status: ProductStatus
    public let image: ProductImage
    /// From 0, in display order.
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
}

extension ManagedPromotion: JSONModel {
    public static let json = JSONObject(
        ManagedPromotion.init, .field("productId", \.productId), .field("handle", \.handle), .field("name", \.name),
        .field("status", \.status), .field("image", \.image), .field("position", \.position))
}

/// A stored picture, which any number of products can have.
public struct Picture: Codable, Sendable, Hashable {
    /// A path on the server, made of the picture's content; the `url` of a product's image.
    public let url: String
    public let mediaType: String
    /// Pixels.
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
}

extension Picture: JSONModel {
    public static let json = JSONObject(
        Picture.init, .field("url", \.url), .field("mediaType", \.mediaType), .field("width", \.width),
        .field("height", \.height), .field("byteCount", \.byteCount))
}
