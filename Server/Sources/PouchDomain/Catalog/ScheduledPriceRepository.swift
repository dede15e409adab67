import Foundation
import PouchEntities

public protocol ScheduledPriceRepository {
    /// The latest first, of one SKU or of all, from behind the one with the given id.
    func prices(sku: String?, after id: String?, limit: Int) throws -> [ScheduledPrice]
    func insert(_ price: ScheduledPrice, at: Date) throws
    /// - Returns: whether it was there.
    func delete(id: String) throws -> Bool
}
