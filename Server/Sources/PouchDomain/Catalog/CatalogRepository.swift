import Foundation

public protocol CatalogRepository {
    /// Rises by one with each published import that changes something.
    func version() throws -> Int64
    /// All that customers can see.
    func content() throws -> CatalogContent
    /// What can be bought under each SKU at the time; SKUs that the shop does not know are missing.
    func offers(skus: [String], at: Date) throws -> [DescribedOffer]
    /// Availability by SKU where it changed at or after the time.
    func availability(changedSince: Date) throws -> [String: Int]
}
