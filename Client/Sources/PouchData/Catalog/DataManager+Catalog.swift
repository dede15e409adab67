import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    public func seasons(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Season> {
        try await page(Contract.seasons, .catalog(.seasons(limit: limit, cursor: cursor)))
    }

    public func themes(
        season: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Theme> {
        try await page(Contract.themes, .catalog(.themes(season: season, limit: limit, cursor: cursor)))
    }

    public func categories(
        season: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Category> {
        try await page(Contract.categories, .catalog(.categories(season: season, limit: limit, cursor: cursor)))
    }

    public func promotions(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Promotion> {
        try await page(Contract.promotions, .catalog(.promotions(limit: limit, cursor: cursor)))
    }

    public func products(_ query: ProductQuery) async throws(DataError) -> ProductPage {
        try await productPage(Contract.products, .catalog(.products(query.queryString)))
    }

    public func product(handle: String) async throws(DataError) -> Product {
        try await perform(Contract.product, .catalog(.product(handle: handle)))
    }

    /// Exact figures, for 1 to 100 SKUs.
    public func availability(of skus: [String]) async throws(DataError) -> Page<Availability> {
        try await page(Contract.availability, .catalog(.availability(skus: skus)))
    }
}
