import Foundation
import PouchEntities

/// Pictures, from any screen that draws them.
@MainActor
public protocol AssetMessages {
    /// The bytes of an image; where the shop cannot be reached, those that were kept.
    func assetData(of image: ProductImage) async throws -> Data
}
