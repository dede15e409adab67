import Foundation
import PouchService

extension DataManager {
    /// A file of the shop, or one elsewhere that its catalogue names.
    ///
    /// - Parameter reference: as a `ProductImage` has it: a path on the server, or an absolute http or https URL.
    /// - Throws: `.notFound` also for what is neither.
    public func asset(_ reference: String) async throws(DataError) -> Dated<Data> {
        let answer = try await assetAnswer(reference).answer
        return Dated(answer.data, staleness: answer.staleness.map(Staleness.init))
    }

    /// The same as a file on this device; nil where the cache has no folder, and for what its server says must not be
    /// stored or what is too large for the cache. The file may go when others need the room, so it is to be opened soon.
    public func assetFile(_ reference: String) async throws(DataError) -> Dated<URL>? {
        let (service, url, answer) = try await assetAnswer(reference)
        return await service.file(url).map { Dated($0, staleness: answer.staleness.map(Staleness.init)) }
    }

    private func assetAnswer(
        _ reference: String
    ) async throws(DataError) -> (service: AssetService, url: String, answer: ServiceAnswer) {
        guard let assets else { throw DataError(.notOffered, log: "there is no place for images") }
        guard let url = assets.url(of: reference) else { throw DataError(.notFound, log: "no address of an image") }
        func call() async throws(ServiceError) -> ServiceAnswer { try await assets.call(url) }
        // What is elsewhere on the web says nothing of the shop.
        let answer = try await assets.isOfShop(reference) ? tellingContact(call) : mappingErrors(call)
        return (assets, url, answer)
    }
}
