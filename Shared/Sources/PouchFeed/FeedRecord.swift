import Foundation
import PouchEntities
import PouchJSON

/// One record of a feed. Seasons and themes come before their products, and products before promotions.
public enum FeedRecord: Sendable, Equatable {
    /// A season. A nil date means that the feed does not name it.
    case season(Season)
    case theme(Theme)
    /// The file of an image; comes before the record that uses the image.
    case asset(FeedAsset)
    case product(FeedProduct)
    case promotion(FeedPromotion)
    /// A row, or a part of it, that was skipped or changed.
    case bad(FeedRowError)
}

/// A product that the feed promotes.
public struct FeedPromotion: JSONModel, Equatable {
    /// The physical line on which the record starts, from 1.
    public let line: Int
    /// The style code of the promoted product.
    public let styleCode: String
    /// The image; nil for the product's own.
    public let image: ProductImage?
    /// The position in display order, from 0, without gaps.
    public let position: Int

    public init(line: Int, styleCode: String, image: ProductImage?, position: Int) {
        self.line = line
        self.styleCode = styleCode
        self.image = image
        self.position = position
    }

    public static let json = JSONObject(
        FeedPromotion.init, .field("line", \.line), .field("styleCode", \.styleCode), .field("image", \.image),
        .field("position", \.position))
}

/// A file next to a feed that is stored with the catalogue.
public struct FeedAsset: Sendable, Equatable {
    /// The maximum size of a file.
    public static let maximumBytes = 16 << 20

    /// The path below `/assets/`, not percent-encoded.
    public let path: String
    /// A regular file inside the feed's folder, with symbolic links resolved.
    public let file: URL
    /// The size of the file, at most `maximumBytes`.
    public let byteCount: Int

    public init(path: String, file: URL, byteCount: Int) {
        self.path = path
        self.file = file
        self.byteCount = byteCount
    }
}
