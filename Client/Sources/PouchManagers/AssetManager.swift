import Foundation
import PouchData
import PouchEntities

/// Brings the images of the catalogue, each once for all who want it at the same time, and keeps those that were used
/// last.
///
/// An asker that is cancelled leaves the others their download; it is given up with the last one.
public actor AssetManager {
    private let data: DataManager

    public init(data: DataManager) {
        self.data = data
    }

    /// The bytes of an image. Where the shop cannot be reached, those that were kept, with from when they are.
    ///
    /// - Throws: `.notFound` also where the image's address is neither a path of the shop nor an http or https URL.
    public func data(of image: ProductImage) async throws(DataError) -> Dated<Data> {
        try await data.asset(image.url)
    }

    /// The image as a file on this device; nil where images are kept in memory alone, and for one that its server says must
    /// not be stored or that is too large for the cache: `data(of:)` has those. The file may go when others need the room,
    /// so it is to be opened soon.
    public func file(of image: ProductImage) async throws(DataError) -> Dated<URL>? {
        try await data.assetFile(image.url)
    }
}
