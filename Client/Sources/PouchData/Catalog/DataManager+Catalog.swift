import PouchContract
import PouchEntities
import PouchService
import PouchWire

extension DataManager {
    public func seasons(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Dated<Page<Season>> {
        try await datedPage(Contract.seasons, .catalog(.seasons(limit: limit, cursor: cursor)))
    }

    public func themes(
        season: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Dated<Page<Theme>> {
        try await datedPage(Contract.themes, .catalog(.themes(season: season, limit: limit, cursor: cursor)))
    }

    public func categories(
        season: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Dated<Page<Category>> {
        try await datedPage(Contract.categories, .catalog(.categories(season: season, limit: limit, cursor: cursor)))
    }

    public func promotions(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Dated<Page<Promotion>> {
        try await datedPage(Contract.promotions, .catalog(.promotions(limit: limit, cursor: cursor)))
    }

    /// - Parameter usesCache: false for pages that are put into the local store, where they need not be twice.
    public func products(
        _ query: ProductQuery, usesCache: Bool = true
    ) async throws(DataError) -> Dated<ProductPage> {
        try await productPage(
            Contract.products, .catalog(.products(query.queryString)), CallOptions(usesCache: usesCache))
    }

    public func product(handle: String) async throws(DataError) -> Dated<Product> {
        let answer = try await answer(to: .product, .catalog(.product(handle: handle)))
        return Dated(try decode(Product.self, from: answer), staleness: answer.staleness.map(Staleness.init))
    }

    /// Exact figures, for 1 to 100 SKUs.
    public func availability(of skus: [String]) async throws(DataError) -> Page<Availability> {
        try await page(Contract.availability, .catalog(.availability(skus: skus)))
    }
}
