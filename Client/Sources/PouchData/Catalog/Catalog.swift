import Foundation
import PouchContract
import PouchEntities
import PouchService
import PouchWire

extension DataManager {
    public func shop() async throws(DataError) -> ShopProfile {
        try await perform(Contract.shop)
    }

    public func seasons(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Dated<Page<Season>> {
        try await datedPage(Contract.seasons, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func themes(
        season: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Dated<Page<Theme>> {
        let query = SeasonQuery { ($0.season, $0.page) = (season, PageQuery(limit: limit, cursor: cursor)) }
        return try await datedPage(Contract.themes, query: query)
    }

    public func categories(
        season: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Dated<Page<PouchEntities.Category>> {
        let query = SeasonQuery { ($0.season, $0.page) = (season, PageQuery(limit: limit, cursor: cursor)) }
        return try await datedPage(Contract.categories, query: query)
    }

    public func promotions(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Dated<Page<Promotion>> {
        try await datedPage(Contract.promotions, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// - Parameter usesCache: false for pages for the local store, which need not be stored twice.
    public func products(_ query: ProductQuery, usesCache: Bool = true) async throws(DataError) -> Dated<ProductPage> {
        try await productPage(query, CallOptions(usesCache: usesCache))
    }

    public func product(handle: String) async throws(DataError) -> Dated<Product> {
        let answer = try await answer(to: Contract.product.call(handle))
        return Dated(try decode(Product.self, from: answer), from: answer)
    }

    /// Exact figures for 1 to 100 SKUs.
    public func availability(of skus: [String]) async throws(DataError) -> Page<Availability> {
        try await page(Contract.availability, query: AvailabilityQuery { $0.skus = skus })
    }

    /// A file of the shop, or one elsewhere on the web that the catalogue refers to.
    ///
    /// - Parameter reference: as in `ProductImage`: a path on the server, or an absolute http or https URL.
    /// - Throws: `.notFound`, also for any other reference.
    public func asset(_ reference: String) async throws(DataError) -> Dated<Data> {
        let answer = try await assetAnswer(reference).answer
        return Dated(answer.data, from: answer)
    }

    /// The asset as a file on this device. Open it soon: the cache may remove it to make room.
    ///
    /// - Returns: nil if the cache has no folder, the server forbids storing the asset, or the asset is too large.
    public func assetFile(_ reference: String) async throws(DataError) -> Dated<URL>? {
        let (service, url, answer) = try await assetAnswer(reference)
        return await service.file(url).map { Dated($0, from: answer) }
    }

    /// Downloads the asset to a file, without the cache. An interrupted download continues, in this call and in a later
    /// one with the same file.
    ///
    /// - Parameters:
    ///   - file: a file in an existing folder; it is created complete or not at all.
    ///   - onProgress: called with the bytes received so far and the asset's size, if the server states it, from any
    ///     thread.
    /// - Throws: `.fileStorage` if the file cannot be written.
    public func downloadAsset(
        _ reference: String, to file: URL, onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(DataError) {
        let (assets, url) = try assetAddress(reference)
        // A server elsewhere on the web says nothing about the shop's server.
        guard assets.isOfShop(reference) else {
            return try await mappingServiceErrors(await assets.download(url, to: file, onProgress: onProgress))
        }
        try await contact.reporting(await assets.download(url, to: file, onProgress: onProgress)) { _ in true }
    }

    private func assetAddress(_ reference: String) throws(DataError) -> (service: AssetService, url: String) {
        guard let assets else { throw DataError(.notOffered, log: "there is no asset service") }
        guard let url = assets.url(of: reference) else { throw DataError(.notFound, log: "not an asset's address") }
        return (assets, url)
    }

    private func assetAnswer(
        _ reference: String
    ) async throws(DataError) -> (service: AssetService, url: String, answer: ServiceAnswer) {
        let (assets, url) = try assetAddress(reference)
        // A server elsewhere on the web says nothing about the shop's server.
        let answer =
            try await assets.isOfShop(reference)
            ? contact.reporting(await assets.call(url)) : mappingServiceErrors(await assets.call(url))
        return (assets, url, answer)
    }
}
