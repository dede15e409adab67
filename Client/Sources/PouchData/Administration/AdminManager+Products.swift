import Foundation
import PouchContract
import PouchEntities
import PouchService

/// Products by hand.
///
///     let cap = try await admin.addProduct(ProductTerms(name: "Cap", variants: [VariantTerms(price: price, stock: 5)]))
///     try await admin.publish(cap)
extension AdminManager {
    // MARK: Products

    /// One page of products in every status, the latest first.
    ///
    /// - Parameter text: a part of the name, handle, style code or of a SKU, not case-sensitive.
    public func products(
        status: ProductStatus? = nil, matching text: String? = nil, category: String? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws(DataError) -> Page<ManagedProduct> {
        let query = ManagedProductsQuery {
            ($0.status, $0.text, $0.category) = (status, text, category)
            $0.page = PageQuery(limit: limit, cursor: cursor)
        }
        return try await data.page(Contract.managedProducts, query: query)
    }

    /// - Parameter key: an id or a handle.
    /// - Throws: `.notFound`.
    public func product(_ key: String) async throws(DataError) -> ManagedProduct {
        try await data.perform(Contract.managedProduct, key)
    }

    /// - Throws: `.validation`, `.handleTaken`, `.skuTaken`.
    public func addProduct(_ terms: ProductTerms) async throws(DataError) -> ManagedProduct {
        try await data.sendOnce(Contract.addProduct, sending: terms)
    }

    /// Sends what differs from the shown product.
    ///
    /// - Throws: `.changedElsewhere` if another administrator has changed it since; `.validation`, `.statusConflict`,
    ///   `.handleTaken`, `.skuTaken`. Nothing is changed then.
    @discardableResult
    public func changeProduct(
        _ shown: ManagedProduct, to terms: ProductTerms
    ) async throws(DataError) -> ManagedProduct {
        let patch = ProductPatch(from: ProductTerms(shown), to: terms)
        var options = CallOptions()
        options.ifMatch = "\"\(shown.version)\""
        return try await data.perform(Contract.updateProduct, shown.id, sending: patch, options: options)
    }

    /// Puts a product on sale.
    ///
    /// - Parameters:
    ///   - start: the time from which it is on sale; nil for at once.
    ///   - end: the time from which it no longer is; nil for no such time.
    @discardableResult
    public func publish(
        _ shown: ManagedProduct, at start: Date? = nil, until end: Date? = nil
    ) async throws(DataError) -> ManagedProduct {
        var terms = ProductTerms(shown)
        if let start { terms.publishAt = start } else { terms.status = .published }
        terms.withdrawAt = end
        return try await changeProduct(shown, to: terms)
    }

    /// Takes a product off sale; it stays on old orders.
    ///
    /// - Parameter moment: nil for at once.
    @discardableResult
    public func withdraw(_ shown: ManagedProduct, at moment: Date? = nil) async throws(DataError) -> ManagedProduct {
        var terms = ProductTerms(shown)
        if let moment { terms.withdrawAt = moment } else { terms.status = .withdrawn }
        return try await changeProduct(shown, to: terms)
    }

    /// Takes a product out of the range.
    @discardableResult
    public func archive(_ shown: ManagedProduct) async throws(DataError) -> ManagedProduct {
        var terms = ProductTerms(shown)
        terms.status = .archived
        return try await changeProduct(shown, to: terms)
    }

    /// Uploads a PNG, JPEG, WebP or GIF, which a change of a product then names by its URL.
    ///
    /// - Throws: `.invalidPicture`.
    public func addPicture(
        file: URL, mediaType: String,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> Picture {
        let upload = CallUpload(file, mediaType: mediaType, onProgress: onProgress)
        return try data.decode(Picture.self, from: try await data.answer(to: Contract.addPicture.call(), upload: upload))
    }

    /// Downloads all products as CSV that a spreadsheet opens and `importCatalog` reads.
    ///
    /// - Parameter file: a file in an existing folder; it appears complete or not at all.
    public func exportProducts(to file: URL) async throws(DataError) {
        try await data.download(Contract.exportProducts.call(), to: file)
    }

    // MARK: Categories, seasons, themes

    /// Each has the number of its products in every status.
    public func categories(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<PouchEntities.Category> {
        try await data.page(Contract.managedCategories, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Makes or renames a category.
    public func setCategory(id: String, name: String) async throws(DataError) -> PouchEntities.Category {
        try await data.perform(Contract.setCategory, id, sending: NameRequest(name: name))
    }

    /// - Throws: `.stillUsed` while a product is of it.
    public func removeCategory(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteCategory, id)
    }

    /// All seasons, also those that have ended or not begun.
    public func seasons(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Season> {
        try await data.page(Contract.managedSeasons, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Makes or changes a season.
    public func setSeason(id: String, _ terms: SeasonTerms) async throws(DataError) -> Season {
        try await data.perform(Contract.setSeason, id, sending: terms)
    }

    /// - Throws: `.stillUsed` while a product or theme is of it.
    public func removeSeason(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteSeason, id)
    }

    public func themes(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Theme> {
        try await data.page(Contract.managedThemes, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Makes or changes a theme.
    public func setTheme(id: String, name: String, seasonId: String) async throws(DataError) -> Theme {
        try await data.perform(Contract.setTheme, id, sending: ThemeRequest(name: name, seasonId: seasonId))
    }

    /// - Throws: `.stillUsed` while a product is of it.
    public func removeTheme(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteTheme, id)
    }

    // MARK: The front page

    /// The products of the front page in their order; customers see those that are published.
    public func promotions(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ManagedPromotion> {
        try await data.page(Contract.managedPromotions, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Replaces the front page.
    public func setPromotions(_ items: [PromotionTerms]) async throws(DataError) -> [ManagedPromotion] {
        try await data.page(Contract.setPromotions, sending: PromotionsRequest(items: items)).items
    }
}
