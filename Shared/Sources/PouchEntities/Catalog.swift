import Foundation
import PouchJSON

/// A part of the shop's year; a product belongs to at most one.
public struct Season: JSONModel, Hashable, Identifiable {
    public let id: String
    public let name: String
    public let startsAt: Date?
    public let endsAt: Date?

    public init(id: String, name: String, startsAt: Date? = nil, endsAt: Date? = nil) {
        self.id = id
        self.name = name
        self.startsAt = startsAt
        self.endsAt = endsAt
    }

    public static let json = JSONObject(
        Season.init, .field("id", \.id), .field("name", \.name), .field("startsAt", \.startsAt),
        .field("endsAt", \.endsAt))

    /// Whether the season has started and not ended. A season without a start or an end has no bound there.
    public func isOn(at moment: Date) -> Bool {
        (startsAt ?? .distantPast) <= moment && moment < (endsAt ?? .distantFuture)
    }
}

/// A collection within a season.
public struct Theme: JSONModel, Hashable, Identifiable {
    public let id: String
    public let name: String
    public let seasonId: String

    public init(id: String, name: String, seasonId: String) {
        self.id = id
        self.name = name
        self.seasonId = seasonId
    }

    public static let json = JSONObject(
        Theme.init, .field("id", \.id), .field("name", \.name), .field("seasonId", \.seasonId))
}

/// A kind of product, such as cardigans; every product has one.
public struct Category: JSONModel, Hashable, Identifiable {
    /// The name in URLs and filters, `[a-z0-9-]`.
    public let id: String
    public let name: String
    /// The number of products of this category in all seasons, or in the requested one.
    public let productCount: Int

    public init(id: String, name: String, productCount: Int) {
        self.id = id
        self.name = name
        self.productCount = productCount
    }

    public static let json = JSONObject(
        Category.init, .field("id", \.id), .field("name", \.name), .field("productCount", \.productCount))
}

/// A featured product and its position.
public struct Promotion: JSONModel, Hashable {
    public let product: Product
    public let image: ProductImage
    /// The position in display order, from 0.
    public let position: Int

    public init(product: Product, image: ProductImage, position: Int) {
        self.product = product
        self.image = image
        self.position = position
    }

    public static let json = JSONObject(
        Promotion.init, .field("product", \.product), .field("image", \.image), .field("position", \.position))
}
