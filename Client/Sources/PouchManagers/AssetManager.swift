import Foundation
import PouchData
import PouchEntities

/// The images of the catalogue, with a cache of the last used ones. Callers that want an image at the same time share
/// one download, which is cancelled with the last of them.
public struct AssetManager: Sendable {
    private let data: DataManager

    public init(data: DataManager) {
        self.data = data
    }

    /// The bytes of an image; cached ones, with their age, where the shop cannot be reached.
    ///
    /// - Throws: `.notFound`, also for an address that is neither a path at the shop nor an http or https URL.
    public func data(of image: ProductImage) async throws(DataError) -> Dated<Data> {
        try await data.asset(image.url)
    }

    /// The image as a file on this device. Open it soon: the cache may remove it to make room.
    ///
    /// - Returns: nil where the cache has no folder, the server forbids storing the image, or it is too large.
    ///   `data(of:)` returns these images.
    public func file(of image: ProductImage) async throws(DataError) -> Dated<URL>? {
        try await data.assetFile(image.url)
    }

    /// Downloads the image to a file of the caller's, past the cache. After an interruption the download continues where
    /// it stopped, also in a later call with the same file: until it is complete, its bytes are in a file next to it. A
    /// file may have only one download at a time.
    ///
    /// - Parameters:
    ///   - file: in an existing folder; an earlier file is replaced in one step.
    ///   - onProgress: called with the bytes received so far and the image's size, if the server states it, from any
    ///     thread.
    /// - Throws: `.fileStorage` if the file cannot be written; `.notFound` as for `data(of:)`.
    public func download(
        _ image: ProductImage, to file: URL,
        onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) async throws(DataError) {
        try await data.downloadAsset(image.url, to: file, onProgress: onProgress)
    }
}
