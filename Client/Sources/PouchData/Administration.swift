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
        return try await perform(Contract.updateVariant, sku, sending: body)
    }

    /// A page of scheduled prices, newest first, of one SKU or of all.
    public func scheduledPrices(
        sku: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ScheduledPrice> {
        let query = ScheduledPricesQuery {
            ($0.sku, $0.page) = (sku, PageQuery(limit: limit, cursor: cursor))
        }
        return try await page(Contract.scheduledPrices, query: query)
    }

    public func schedulePrice(
        sku: String, price: Money, from startsAt: Date, until endsAt: Date
    ) async throws(DataError) -> ScheduledPrice {
        let body = ScheduledPriceRequest(sku: sku, price: price, startsAt: startsAt, endsAt: endsAt)
        return try await sendOnce(Contract.schedulePrice, sending: body)
    }

    public func deleteScheduledPrice(id: String) async throws(DataError) {
        try await perform(Contract.deleteScheduledPrice, id)
    }

    /// A page of discounts, newest first.
    public func discounts(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<ManagedDiscount> {
        try await page(Contract.discounts, query: PageQuery(limit: limit, cursor: cursor))
    }

    public func addDiscount(_ terms: DiscountTerms) async throws(DataError) -> ManagedDiscount {
        try await sendOnce(Contract.addDiscount, sending: terms)
    }

    /// Sends the differences between the terms only, so that another administrator's changes stay.
    public func updateDiscount(
        id: String, from old: DiscountTerms, to new: DiscountTerms
    ) async throws(DataError) -> ManagedDiscount {
        try await perform(Contract.updateDiscount, id, sending: DiscountPatch(from: old, to: new))
    }

    public func deleteDiscount(id: String) async throws(DataError) {
        try await perform(Contract.deleteDiscount, id)
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
        let query = ImportQuery {
            ($0.format, $0.isDryRun, $0.name) = (format, isDryRun, file.lastPathComponent)
        }
        let answer = try await answer(
            to: Contract.importCatalog.call(query: query),
            upload: CallUpload(file, mediaType: format.mediaType, onProgress: onProgress))
        return try decode(CatalogImport.self, from: answer)
    }

    public func catalogImport(id: String) async throws(DataError) -> CatalogImport {
        try await perform(Contract.catalogImport, id)
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
