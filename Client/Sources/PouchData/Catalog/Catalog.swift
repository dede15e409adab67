import Foundation
import PouchContract
import PouchEntities
import PouchService
import PouchWire

extension DataManager {
    public func shop() async throws(DataError) -> ShopProfile {
        try await perform(Contract.shop)
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
}
