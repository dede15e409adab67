import Foundation

public protocol CatalogRepository {
    /// Rises by one with each published import that changes something.
    func version() throws -> Int64
    /// Raises the version, so that every process reads the catalogue again.
    func raiseVersion() throws
    /// All that customers can see.
    ///
    /// - Parameter at: the moment for which prices are told.
    func content(at: Date) throws -> CatalogContent
    /// What can be bought under each SKU at a moment; SKUs that the shop does not know are missing, and so are those of a
    /// season that has not begun.
    func offers(skus: [String], at: Date) throws -> [DescribedOffer]
    /// Units on hand less held, by SKU: of the given SKUs, and of those whose figures changed at or after the time.
    func availability(changedSince: Date, skus: [String]) throws -> [String: Int]
}
