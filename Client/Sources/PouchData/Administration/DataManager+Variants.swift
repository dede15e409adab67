import Foundation
import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    /// What is nil stays as it is.
    public func updateVariant(
        sku: String, price: Money? = nil, stock: StockChange? = nil
    ) async throws(DataError) -> ManagedVariant {
        let body =
            switch stock {
            case .set(let units): VariantPatch(price: price, available: units)
            case .adjust(let units): VariantPatch(price: price, adjust: units)
            case nil: VariantPatch(price: price)
            }
        return try await perform(Contract.updateVariant, sending: body) {
            .administration(.updateVariant(sku: sku, body: $0))
        }
    }

    /// The latest first, of one SKU or of all.
    public func scheduledPrices(
        sku: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ScheduledPrice> {
        try await page(
            Contract.scheduledPrices, .administration(.scheduledPrices(sku: sku, limit: limit, cursor: cursor)))
    }

    public func schedulePrice(
        sku: String, price: Money, from startsAt: Date, until endsAt: Date
    ) async throws(DataError) -> ScheduledPrice {
        let body = ScheduledPriceRequest(sku: sku, price: price, startsAt: startsAt, endsAt: endsAt)
        return try await once(Contract.schedulePrice, .schedulePrice, sending: body)
    }

    public func deleteScheduledPrice(id: String) async throws(DataError) {
        try await perform(Contract.deleteScheduledPrice, .administration(.deleteScheduledPrice(id: id)))
    }
}
