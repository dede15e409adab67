import Foundation
import PouchEntities
import PouchJSON

/// The data of a product in one record of a feed.
///
/// In all optional properties, nil means that the feed does not name the value, so that the catalogue keeps its own; an
/// empty text or list clears it.
public struct FeedProduct: JSONModel, Equatable {
    /// The physical line on which the record starts, from 1.
    public let line: Int
    /// `[a-z0-9-]`
    public let handle: String
    /// The handle as spelled in the feed, which distinguishes its products; nil in a feed that has other identities, or
    /// that a shop exported with its own handles.
    public let feedHandle: String?
    /// The product's identity, if the feed has one. A product with the same style code keeps its handle in the
    /// catalogue.
    public let styleCode: String?
    public let name: String?
    /// The description as plain text.
    public let description: String?
    public let seasonId: String?
    public let themeId: String?
    public let categoryName: String?
    public let tags: [String]?
    public let materials: [String]?
    public let careInstructions: String?
    /// The options, only with the values of this record's variants. The product keeps its other variants and their
    /// values.
    public let options: [ProductOption]?
    public let images: [ProductImage]?
    public let promoImage: FeedChange<ProductImage>?
    /// The variants, each combination of options once. A feed may use a SKU for several.
    public var variants: [FeedVariant]
    /// The status; nil if the feed has none: a new product is then for sale.
    public let status: FeedStatus?

    /// Whether the record adds variants and images to a product that is earlier in the feed or in the catalogue.
    public var isContinuation: Bool { name == nil }

    public init(
        line: Int, handle: String, feedHandle: String? = nil, styleCode: String? = nil, name: String? = nil,
        description: String? = nil, seasonId: String? = nil, themeId: String? = nil, categoryName: String? = nil,
        tags: [String]? = nil, materials: [String]? = nil, careInstructions: String? = nil,
        options: [ProductOption]? = nil, images: [ProductImage]? = nil, promoImage: FeedChange<ProductImage>? = nil,
        variants: [FeedVariant], status: FeedStatus? = nil
    ) {
        self.line = line
        self.handle = handle
        self.feedHandle = feedHandle
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
        self.status = status
    }

    public static let json = JSONObject(
        FeedProduct.init, .field("line", \.line), .field("handle", \.handle), .field("feedHandle", \.feedHandle),
        .field("styleCode", \.styleCode),
        .field("name", \.name), .field("description", \.description), .field("seasonId", \.seasonId),
        .field("themeId", \.themeId), .field("categoryName", \.categoryName), .field("tags", \.tags),
        .field("materials", \.materials), .field("careInstructions", \.careInstructions),
        .field("options", \.options), .field("images", \.images), .field("promoImage", \.promoImage),
        .field("variants", \.variants), .field("status", \.status))
}

/// Whether a feed offers a product.
public enum FeedStatus: String, JSONCodable, Sendable, CaseIterable {
    case forSale
    /// A draft, or withdrawn from sale.
    case notForSale
    case archived
}

/// The data of one variant in a feed.
public struct FeedVariant: JSONModel, Equatable {
    public var sku: String
    /// The value of each option of the product.
    public let options: [String: String]
    public let price: Money
    /// The price before a reduction, higher than the price; nil if the price is not reduced, since a feed names both
    /// together.
    public let compareAtPrice: Money?
    /// The units on hand; nil if the feed does not name them.
    public let stock: Int?
    /// The units on hand when the shop exported the feed. The import then adds the difference from `stock`, so that
    /// units sold since the export do not come back.
    public let exportedStock: Int?
    /// The id of the export that the feed comes from. The shop adds its differences once, however often it is imported,
    /// until a later export is imported.
    public let exportId: String?
    /// The weight, more than 0; nil if the feed does not name it.
    public let weightGrams: Int?
    /// The physical line on which the variant's row starts; nil for the record's line.
    public let line: Int?

    public init(
        sku: String, options: [String: String], price: Money, compareAtPrice: Money? = nil, stock: Int? = nil,
        exportedStock: Int? = nil, exportId: String? = nil, weightGrams: Int? = nil, line: Int? = nil
    ) {
        // Canonically equivalent spellings are equal for people and Swift, but not for a database.
        self.sku = sku.precomposedStringWithCanonicalMapping
        self.options = options
        self.price = price
        self.compareAtPrice = compareAtPrice
        self.stock = stock
        self.exportedStock = exportedStock
        self.exportId = exportId
        self.weightGrams = weightGrams
        self.line = line
    }

    public static let json = JSONObject(
        FeedVariant.init, .field("sku", \.sku), .field("options", \.options), .field("price", \.price),
        .field("compareAtPrice", \.compareAtPrice), .field("stock", \.stock),
        .field("exportedStock", \.exportedStock), .field("exportId", \.exportId),
        .field("weightGrams", \.weightGrams), .field("line", \.line))
}

/// The change of a value that has no empty form.
public enum FeedChange<Value: JSONCodable & Equatable>: Equatable {
    case set(Value)
    case cleared
}

extension FeedChange: JSONCodable {
    public init(reading json: inout JSONReader) throws(JSONError) {
        self = try json.choice { (json, name) throws(JSONError) in
            switch name {
            case "set": .set(try json.associatedValue())
            case "cleared": .cleared
            default: nil
            }
        }
    }

    public func write(to json: inout JSONWriter) {
        switch self {
        case .set(let value): json.choice("set", value)
        case .cleared: json.choice("cleared")
        }
    }

    public static var jsonShape: JSONShape { .any }
}
