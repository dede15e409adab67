import Foundation
import PouchService

extension DataManager {
    /// A file of the shop, or one elsewhere that its catalogue names.
    ///
    /// - Parameter reference: as a `ProductImage` has it: a path on the server, or an absolute http or https URL.
    /// - Throws: `.notFound` also for what is neither.
    public func asset(_ reference: String) async throws(DataError) -> Dated<Data> {
        let (service, url) = try assetAddress(reference)
        let answer = try await mappingErrors { () throws(ServiceError) in try await service.call(url) }
        return Dated(answer.data, staleness: answer.staleness.map(Staleness.init))
    }

    /// The same as a file on this device; nil where the cache has no folder, and for what its server says must not be
    /// stored or what is too large for the cache. The file may go when others need the room, so it is to be opened soon.
    public func assetFile(_ reference: String) async throws(DataError) -> Dated<URL>? {
        let (service, url) = try assetAddress(reference)
        let answer = try await mappingErrors { () throws(ServiceError) in try await service.call(url) }
        return await service.file(url).map { Dated($0, staleness: answer.staleness.map(Staleness.init)) }
    }

    private func assetAddress(_ reference: String) throws(DataError) -> (AssetService, url: String) {
        guard let assets else { throw DataError(.notOffered, log: "there is no place for images") }
        guard let url = assets.url(of: reference) else { throw DataError(.notFound, log: "no address of an image") }
        return (assets, url)
    }
}
