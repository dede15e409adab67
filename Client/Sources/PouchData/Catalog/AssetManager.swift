import Foundation
import PouchEntities
import PouchService

/// The images of the catalogue, with a cache of the most recently used ones. Concurrent requests for an image share one
/// download, which is cancelled with the last of them.
public struct AssetManager: Sendable {
    private let data: DataManager

    public init(data: DataManager) {
        self.data = data
    }

    /// The bytes of an image; cached ones, with their age, if the shop cannot be reached.
    ///
    /// - Throws: `.notFound`, also for an address that is neither a path of the shop nor an http or https URL.
    public func data(of image: ProductImage) async throws(DataError) -> Dated<Data> {
        let answer = try await answer(image.url).answer
        return Dated(answer.data, from: answer)
    }

    /// The image as a file on this device. Open it soon: the cache may remove it to make room.
    ///
    /// - Returns: nil if the cache has no folder, the server forbids storing the image, or the image is too large.
    ///   `data(of:)` returns these images.
    public func file(of image: ProductImage) async throws(DataError) -> Dated<URL>? {
        let (service, url, answer) = try await answer(image.url)
        return await service.file(url).map { Dated($0, from: answer) }
    }

    /// Downloads the image to the caller's file, without the cache. An interrupted download is resumed, also by a later
    /// call with the same file: until it is complete, its bytes are in a file next to it. A file may have only one
    /// download at a time.
    ///
    /// - Parameters:
    ///   - file: a file in an existing folder; an earlier file is replaced in one step.
    ///   - onProgress: called with the bytes received so far and the image's size, if the server states it, from any
    ///     thread.
    /// - Throws: `.fileStorage` if the file cannot be written; `.notFound` as for `data(of:)`.
    public func download(
        _ image: ProductImage, to file: URL,
        onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) async throws(DataError) {
        let (assets, url) = try address(image.url)
        // A server elsewhere on the web says nothing about the shop's server.
        guard assets.isOfShop(image.url) else {
            return try await mappingServiceErrors(await assets.download(url, to: file, onProgress: onProgress))
        }
        try await data.contact.reporting(await assets.download(url, to: file, onProgress: onProgress)) { _ in true }
    }

    private func address(_ reference: String) throws(DataError) -> (service: AssetService, url: String) {
        guard let assets = data.assets else { throw DataError(.notOffered, log: "there is no asset service") }
        guard let url = assets.url(of: reference) else { throw DataError(.notFound, log: "not an asset's address") }
        return (assets, url)
    }

    private func answer(
        _ reference: String
    ) async throws(DataError) -> (service: AssetService, url: String, answer: ServiceAnswer) {
        let (assets, url) = try address(reference)
        // A server elsewhere on the web says nothing about the shop's server.
        let answer =
            try await assets.isOfShop(reference)
            ? data.contact.reporting(await assets.call(url)) : mappingServiceErrors(await assets.call(url))
        return (assets, url, answer)
    }
}
