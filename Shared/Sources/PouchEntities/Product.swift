import Foundation
import PouchJSON

/// A product of the catalogue, with all its variants.
public struct Product: JSONModel, Hashable, Identifiable {
    public var id: String
    /// The unique name in URLs, `[a-z0-9-]`.
    public let handle: String
    public let styleCode: String?
    public let name: String
    /// The description as plain text.
    public let description: String?
    public let seasonId: String?
    public let themeId: String?
    /// The id of the product's category.
    public let category: String
    public let tags: [String]
    /// The price of the cheapest variant.
    public var price: Money
    public let compareAtPrice: Money?
    public let materials: [String]?
    public let careInstructions: String?
    /// The options in display order; empty for a product with a single variant and no choices.
    public let options: [ProductOption]
    public let images: [ProductImage]
    public let promoImage: ProductImage?
    public let updatedAt: Date
    public var variants: [Variant]

    public init(
        id: String, handle: String, styleCode: String? = nil, name: String, description: String? = nil,
        seasonId: String? = nil, themeId: String? = nil, category: String, tags: [String], price: Money,
        compareAtPrice: Money? = nil, materials: [String]? = nil, careInstructions: String? = nil,
        options: [ProductOption], images: [ProductImage], promoImage: ProductImage? = nil, updatedAt: Date,
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

    public static let json = JSONObject(
        Product.init, .field("id", \.id), .field("handle", \.handle), .field("styleCode", \.styleCode),
        .field("name", \.name), .field("description", \.description), .field("seasonId", \.seasonId),
        .field("themeId", \.themeId), .field("category", \.category), .field("tags", \.tags), .field("price", \.price),
        .field("compareAtPrice", \.compareAtPrice), .field("materials", \.materials),
        .field("careInstructions", \.careInstructions), .field("options", \.options), .field("images", \.images),
        .field("promoImage", \.promoImage), .field("updatedAt", \.updatedAt), .field("variants", \.variants))
}

extension Product {
    /// The units of all variants. Saturates at `Int.max`, because a server may send any figures.
    public var available: Int {
        variants.reduce(0) { sum, variant in
            let (next, overflows) = sum.addingReportingOverflow(max(0, variant.available))
            return overflows ? .max : next
        }
    }

    /// Whether the variants have different prices; the product's is the lowest.
    public var hasSeveralPrices: Bool { Set(variants.map(\.price)).count > 1 }
}

/// The unit of sale: one combination of a product's options, with its own SKU, price and stock.
public struct Variant: JSONModel, Hashable {
    public let sku: String
    /// The value of each of the product's options; empty if the product has none.
    public let options: [String: String]
    public var price: Money
    /// The price before a reduction, shown struck through.
    public let compareAtPrice: Money?
    /// The available units, at most five seconds old in catalogue responses.
    public var available: Int
    public let weightGrams: Int?

    public init(
        sku: String, options: [String: String], price: Money, compareAtPrice: Money? = nil, available: Int,
        weightGrams: Int? = nil
    ) {
        self.sku = sku
        self.options = options
        self.price = price
        self.compareAtPrice = compareAtPrice
        self.available = available
        self.weightGrams = weightGrams
    }

    public static let json = JSONObject(
        Variant.init, .field("sku", \.sku), .field("options", \.options), .field("price", \.price),
        .field("compareAtPrice", \.compareAtPrice), .field("available", \.available),
        .field("weightGrams", \.weightGrams))
}

/// A property in which a product's variants differ, such as Size, with its values in display order.
public struct ProductOption: JSONModel, Hashable {
    public let name: String
    public let values: [String]

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }

    public static let json = JSONObject(ProductOption.init, .field("name", \.name), .field("values", \.values))
}

extension [ProductOption] {
    /// Creates the options of variants: every name and value that a variant has, and no others.
    ///
    /// - Parameters:
    ///   - variants: the choices of each variant.
    ///   - known: the preferred order of names and values; others follow.
    public init(of variants: [[String: String]], inOrderOf known: [ProductOption]) {
        let used = Set(variants.flatMap(\.keys))
        var listed: Set<String> = []
        var names = known.map(\.name).filter { used.contains($0) && listed.insert($0).inserted }
        names += used.subtracting(listed).sorted()
        self = names.map { name in
            let inUse = variants.compactMap { $0[name] }
            var seen: Set<String> = []
            let before = known.filter { $0.name == name }.flatMap(\.values).filter(Set(inUse).contains)
            return ProductOption(name: name, values: (before + inUse).filter { seen.insert($0).inserted })
        }
    }
}

/// A picture of a product.
public struct ProductImage: JSONModel, Hashable {
    /// An absolute URL, or a path on the server that sent it.
    public let url: String
    /// A description for people who cannot see the picture.
    public let alt: String

    public init(url: String, alt: String) {
        self.url = url
        self.alt = alt
    }

    public static let json = JSONObject(ProductImage.init, .field("url", \.url), .field("alt", \.alt))
}
