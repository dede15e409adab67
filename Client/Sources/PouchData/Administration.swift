import Foundation
import PouchContract
import PouchEntities
import PouchService

/// A change of a SKU's stock.
public enum StockChange: Sendable, Hashable {
    /// The number of units for sale, not counting those that orders hold.
    case set(Int)
    /// The number of units added; negative to remove.
    case adjust(Int)
}

/// Calls that need an administrator.
extension DataManager {
    /// Changes the price or the stock. A part that is nil stays.
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

    /// A page of scheduled prices, newest first, of one SKU or of all.
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
        return try await sendOnce(Contract.schedulePrice, .schedulePrice, sending: body)
    }

    public func deleteScheduledPrice(id: String) async throws(DataError) {
        try await perform(Contract.deleteScheduledPrice, .administration(.deleteScheduledPrice(id: id)))
    }

    /// A page of discounts, newest first.
    public func discounts(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<ManagedDiscount> {
        try await page(Contract.discounts, .administration(.discounts(limit: limit, cursor: cursor)))
    }

    public func addDiscount(_ terms: DiscountTerms) async throws(DataError) -> ManagedDiscount {
        try await sendOnce(Contract.addDiscount, .addDiscount, sending: terms)
    }

    /// Sends the differences between the terms only, so that another administrator's changes stay.
    public func updateDiscount(
        id: String, from old: DiscountTerms, to new: DiscountTerms
    ) async throws(DataError) -> ManagedDiscount {
        try await perform(Contract.updateDiscount, sending: DiscountPatch(from: old, to: new)) {
            .administration(.updateDiscount(id: id, body: $0))
        }
    }

    public func deleteDiscount(id: String) async throws(DataError) {
        try await perform(Contract.deleteDiscount, .administration(.deleteDiscount(id: id)))
    }

    /// Uploads a feed straight from its file. Returns when the server has it; `catalogImport` returns the import's
    /// progress.
    ///
    /// - Parameters:
    ///   - isDryRun: whether to report the changes without making them.
    ///   - onProgress: called with the bytes sent so far and those of the whole file, from any thread.
    public func importCatalog(
        file: URL,
        format: FeedFormat,
        isDryRun: Bool = false,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> CatalogImport {
        let path = Path.Administration.importCatalog(
            file: file, mediaType: format.mediaType, format: format.rawValue, dryRun: isDryRun)
        let answer = try await answer(to: .administration(path), onProgress: onProgress)
        return try decode(CatalogImport.self, from: answer)
    }

    public func catalogImport(id: String) async throws(DataError) -> CatalogImport {
        try await perform(Contract.catalogImport, .administration(.catalogImport(id: id)))
    }
}

extension FeedFormat {
    fileprivate var mediaType: String {
        switch self {
        case .shopifyCSV: "text/csv"
        case .layersJSON: "application/json"
        }
    }
}
