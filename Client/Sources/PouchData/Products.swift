import Foundation
import PouchContract
import PouchEntities
import PouchService

/// Calls that make and change products by hand. They need an administrator.
extension DataManager {
    // MARK: Products

    /// A page of products in every status, newest first.
    ///
    /// - Parameter text: a part of the name, handle, style code or of a SKU.
    public func managedProducts(
        status: ProductStatus? = nil, text: String? = nil, category: String? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws(DataError) -> Page<ManagedProduct> {
        let query = ManagedProductsQuery {
            ($0.status, $0.text, $0.category) = (status, text, category)
            $0.page = PageQuery(limit: limit, cursor: cursor)
        }
        return try await page(Contract.managedProducts, query: query)
    }

    /// - Parameter key: an id or a handle.
    public func managedProduct(_ key: String) async throws(DataError) -> ManagedProduct {
        try await perform(Contract.managedProduct, key)
    }

    public func addProduct(_ terms: ProductTerms) async throws(DataError) -> ManagedProduct {
        try await sendOnce(Contract.addProduct, sending: terms)
    }

    /// Sends the differences between the terms only.
    ///
    /// - Parameter version: the version that the change was made to. Of two changes to one version the later one throws
    ///   `.changedElsewhere`.
    public func updateProduct(
        id: String, version: Int, from old: ProductTerms, to new: ProductTerms
    ) async throws(DataError) -> ManagedProduct {
        var options = CallOptions()
        options.ifMatch = "\"\(version)\""
        return try await perform(Contract.updateProduct, id, sending: ProductPatch(from: old, to: new), options: options)
    }

    /// Uploads a picture straight from its file.
    public func addPicture(
        file: URL, mediaType: String,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> Picture {
        let upload = CallUpload(file, mediaType: mediaType, onProgress: onProgress)
        return try decode(Picture.self, from: try await answer(to: Contract.addPicture.call(), upload: upload))
    }

    /// Downloads all products as a CSV file that can be imported again.
    public func exportProducts(to file: URL) async throws(DataError) {
        try await download(Contract.exportProducts.call(), to: file)
    }

    // MARK: The parts of the catalogue

    public func managedCategories(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<PouchEntities.Category> {
        try await page(Contract.managedCategories, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func setCategory(id: String, name: String) async throws(DataError) -> PouchEntities.Category {
        try await perform(Contract.setCategory, id, sending: NameRequest(name: name))
    }

    public func deleteCategory(id: String) async throws(DataError) {
        try await perform(Contract.deleteCategory, id)
    }

    public func managedSeasons(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Season> {
        try await page(Contract.managedSeasons, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func setSeason(id: String, _ terms: SeasonTerms) async throws(DataError) -> Season {
        try await perform(Contract.setSeason, id, sending: terms)
    }

    public func deleteSeason(id: String) async throws(DataError) {
        try await perform(Contract.deleteSeason, id)
    }

    public func managedThemes(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Theme> {
        try await page(Contract.managedThemes, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func setTheme(id: String, name: String, seasonId: String) async throws(DataError) -> Theme {
        try await perform(Contract.setTheme, id, sending: ThemeRequest(name: name, seasonId: seasonId))
    }

    public func deleteTheme(id: String) async throws(DataError) {
        try await perform(Contract.deleteTheme, id)
    }

    public func managedPromotions(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ManagedPromotion> {
        try await page(Contract.managedPromotions, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func setPromotions(_ items: [PromotionTerms]) async throws(DataError) -> Page<ManagedPromotion> {
        try await page(Contract.setPromotions, sending: PromotionsRequest(items: items))
    }
}
