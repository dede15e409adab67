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
        let path = Path.ProductCalls.list(
            status: status?.rawValue, text: text, category: category, limit: limit, cursor: cursor)
        return try await page(Contract.managedProducts, .administration(.products(path)))
    }

    /// - Parameter key: an id or a handle.
    public func managedProduct(_ key: String) async throws(DataError) -> ManagedProduct {
        try await perform(Contract.managedProduct, .administration(.products(.product(key: key))))
    }

    public func addProduct(_ terms: ProductTerms) async throws(DataError) -> ManagedProduct {
        try await sendOnce(Contract.addProduct, .addProduct, sending: terms)
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
        return try await perform(Contract.updateProduct, sending: ProductPatch(from: old, to: new), options) {
            .administration(.products(.update(key: id, body: $0)))
        }
    }

    /// Uploads a picture straight from its file.
    public func addPicture(
        file: URL, mediaType: String,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> Picture {
        let path = Path.administration(.products(.addPicture(file: file, mediaType: mediaType)))
        return try decode(Picture.self, from: try await answer(to: path, onProgress: onProgress))
    }

    /// Downloads all products as a CSV file that can be imported again.
    public func exportProducts(to file: URL) async throws(DataError) {
        try await download(.administration(.products(.export)), to: file)
    }

    // MARK: The parts of the catalogue

    public func managedCategories(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<PouchEntities.Category> {
        try await page(
            Contract.managedCategories, .administration(.products(.categories(limit: limit, cursor: cursor))))
    }

    public func setCategory(id: String, name: String) async throws(DataError) -> PouchEntities.Category {
        try await perform(Contract.setCategory, sending: NameRequest(name: name)) {
            .administration(.products(.setCategory(id: id, body: $0)))
        }
    }

    public func deleteCategory(id: String) async throws(DataError) {
        try await perform(Contract.deleteCategory, .administration(.products(.deleteCategory(id: id))))
    }

    public func managedSeasons(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Season> {
        try await page(Contract.managedSeasons, .administration(.products(.seasons(limit: limit, cursor: cursor))))
    }

    public func setSeason(id: String, _ terms: SeasonTerms) async throws(DataError) -> Season {
        try await perform(Contract.setSeason, sending: terms) {
            .administration(.products(.setSeason(id: id, body: $0)))
        }
    }

    public func deleteSeason(id: String) async throws(DataError) {
        try await perform(Contract.deleteSeason, .administration(.products(.deleteSeason(id: id))))
    }

    public func managedThemes(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Theme> {
        try await page(Contract.managedThemes, .administration(.products(.themes(limit: limit, cursor: cursor))))
    }

    public func setTheme(id: String, name: String, seasonId: String) async throws(DataError) -> Theme {
        try await perform(Contract.setTheme, sending: ThemeRequest(name: name, seasonId: seasonId)) {
            .administration(.products(.setTheme(id: id, body: $0)))
        }
    }

    public func deleteTheme(id: String) async throws(DataError) {
        try await perform(Contract.deleteTheme, .administration(.products(.deleteTheme(id: id))))
    }

    public func managedPromotions(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ManagedPromotion> {
        try await page(
            Contract.managedPromotions, .administration(.products(.promotions(limit: limit, cursor: cursor))))
    }

    public func setPromotions(_ items: [PromotionTerms]) async throws(DataError) -> Page<ManagedPromotion> {
        let body = try encode(PromotionsRequest(items: items))
        return try await page(Contract.setPromotions, .administration(.products(.setPromotions(body: body))))
    }
}
