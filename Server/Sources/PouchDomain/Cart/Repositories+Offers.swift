import Foundation

extension Repositories {
    /// What can be bought under each SKU at the time; the units of holds that have expired among it. SKUs that the shop does
    /// not know are missing.
    public func offers(skus: [String], at now: Date) throws -> [String: DescribedOffer] {
        let expired = try stock.expiredHolds(at: now)
        return Dictionary(
            try catalog.offers(skus: skus, at: now).map {
                (
                    $0.offer.sku,
                    DescribedOffer(offer: $0.offer.returning(expired), description: $0.description)
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}
