import Foundation
import PouchContract
import PouchEntities
import PouchService

/// Manual changes to products.
///
///     let cap = try await admin.addProduct(ProductTerms(name: "Cap", variants: [VariantTerms(price: price, stock: 5)]))
///     try await admin.publish(cap)
extension AdminManager {
    // MARK: Products

    /// One page of products of any status, newest first.
    ///
    /// - Parameter text: part of the name, handle, style code or a SKU, case-insensitive.
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

    /// Sends the differences from the shown product.
    ///
    /// - Throws: `.changedElsewhere` if another administrator has changed it since; `.validation`, `.statusConflict`,
    ///   `.handleTaken`, `.skuTaken`. The product is then unchanged.
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
    ///   - start: the time from which it is on sale; nil for now.
    ///   - end: the time from which it is no longer on sale; nil for no end.
    @discardableResult
    public func publish(
        _ shown: ManagedProduct, at start: Date? = nil, until end: Date? = nil
    ) async throws(DataError) -> ManagedProduct {
        var terms = ProductTerms(shown)
        if let start { terms.publishAt = start } else { terms.status = .published }
        terms.withdrawAt = end
        return try await changeProduct(shown, to: terms)
    }

    /// Takes a product off sale; past orders keep it.
    ///
    /// - Parameter moment: nil for now.
    @discardableResult
    public func withdraw(_ shown: ManagedProduct, at moment: Date? = nil) async throws(DataError) -> ManagedProduct {
        var terms = ProductTerms(shown)
        if let moment { terms.withdrawAt = moment } else { terms.status = .withdrawn }
        return try await changeProduct(shown, to: terms)
    }

    /// Archives a product, which removes it from the range.
    @discardableResult
    public func archive(_ shown: ManagedProduct) async throws(DataError) -> ManagedProduct {
        var terms = ProductTerms(shown)
        terms.status = .archived
        return try await changeProduct(shown, to: terms)
    }

    /// Uploads a PNG, JPEG, WebP or GIF file, whose URL a later change to a product can use.
    ///
    /// - Throws: `.invalidPicture`.
    public func addPicture(
        file: URL, mediaType: String,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> Picture {
        let upload = CallUpload(file, mediaType: mediaType, onProgress: onProgress)
        return try data.decode(
            Picture.self, from: try await data.answer(to: Contract.addPicture.call(), upload: upload))
    }

    /// Downloads all products as CSV for spreadsheets and `importCatalog`.
    ///
    /// - Parameter file: a file in an existing folder; it is created complete or not at all.
    public func exportProducts(to file: URL) async throws(DataError) {
        try await data.download(Contract.exportProducts.call(), to: file)
    }

    // MARK: Categories, seasons, themes

    /// The categories, each with the number of its products of any status.
    public func categories(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<PouchEntities.Category> {
        try await data.page(Contract.managedCategories, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Creates or renames a category.
    public func setCategory(id: String, name: String) async throws(DataError) -> PouchEntities.Category {
        try await data.perform(Contract.setCategory, id, sending: NameRequest(name: name))
    }

    /// - Throws: `.stillUsed` while a product uses it.
    public func removeCategory(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteCategory, id)
    }

    /// All seasons, including past and future ones.
    public func seasons(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Season> {
        try await data.page(Contract.managedSeasons, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Creates or changes a season.
    public func setSeason(id: String, _ terms: SeasonTerms) async throws(DataError) -> Season {
        try await data.perform(Contract.setSeason, id, sending: terms)
    }

    /// - Throws: `.stillUsed` while a product or theme uses it.
    public func removeSeason(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteSeason, id)
    }

    public func themes(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Theme> {
        try await data.page(Contract.managedThemes, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Creates or changes a theme.
    public func setTheme(id: String, name: String, seasonId: String) async throws(DataError) -> Theme {
        try await data.perform(Contract.setTheme, id, sending: ThemeRequest(name: name, seasonId: seasonId))
    }

    /// - Throws: `.stillUsed` while a product uses it.
    public func removeTheme(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteTheme, id)
    }

    // MARK: The front page

    /// The products on the front page in display order; customers see those that are published.
    public func promotions(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<ManagedPromotion> {
        try await data.page(Contract.managedPromotions, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Replaces the front page.
    public func setPromotions(_ items: [PromotionTerms]) async throws(DataError) -> [ManagedPromotion] {
        try await data.page(Contract.setPromotions, sending: PromotionsRequest(items: items)).items
    }
}
