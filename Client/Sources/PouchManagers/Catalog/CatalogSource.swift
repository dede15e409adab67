import PouchData
import PouchEntities

/// Where the catalogue comes from: a server that answers questions, or a feed that is read as a whole.
protocol CatalogSource: Sendable {
    func seasons() async throws(DataError) -> Dated<[Season]>
    func themes(season: String?) async throws(DataError) -> Dated<[Theme]>
    func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]>
    func promotions() async throws(DataError) -> Dated<[Promotion]>
    func listing(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage>
    func product(handle: String) async throws(DataError) -> Dated<Product>
}
