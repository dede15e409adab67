import Foundation
import PouchContract
import PouchEntities
import PouchService

/// A change of a SKU's stock.
public enum StockChange: Sendable, Hashable {
    /// The number of available units, not counting those held for orders.
    case set(Int)
    /// The number of units to add; negative to remove.
    case adjust(Int)
}

/// The administration of the shop. Without an administrator's session, the calls throw `.notSignedIn` or `.forbidden`.
public struct AdminManager: Sendable {
    /// The number of consecutive failed requests after which `follow` gives up. The server may be restarting.
    private static let failureLimit = 20

    let data: DataManager
    private let clock: any Clock<Duration>

    /// - Parameter clock: measures the interval between two requests for an import's progress.
    public init(data: DataManager, clock: any Clock<Duration> = ContinuousClock()) {
        self.data = data
        self.clock = clock
    }

    // MARK: Imports

    /// Uploads a feed. Returns when the server has received it; `follow` waits for the end of the import.
    ///
    /// - Parameters:
    ///   - isDryRun: whether to report what would change, without changing anything.
    ///   - onProgress: called on any thread with the bytes that were sent and the size of the file.
    public func importCatalog(
        file: URL,
        format: FeedFormat,
        isDryRun: Bool = false,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> CatalogImport {
        let query = ImportQuery {
            ($0.format, $0.isDryRun, $0.name) = (format, isDryRun, file.lastPathComponent)
        }
        let answer = try await data.answer(
            to: Contract.importCatalog.call(query: query),
            upload: CallUpload(file, mediaType: format.mediaType, onProgress: onProgress))
        return try data.decode(CatalogImport.self, from: answer)
    }

    public func catalogImport(id: String) async throws(DataError) -> CatalogImport {
        try await data.perform(Contract.catalogImport, id)
    }

    /// Requests the progress of an import at intervals until it has ended. Tolerates a server that is temporarily
    /// unreachable.
    ///
    /// - Throws: the error of the 20th consecutive request that could not reach the server, or that the server could
    ///   not answer, such as `.unreachable` and `.busy`; any other error at once.
    public func follow(
        _ started: CatalogImport,
        every interval: Duration = .milliseconds(500),
        onChange: @Sendable (CatalogImport) -> Void = { _ in }
    ) async throws(DataError) -> CatalogImport {
        var latest = started
        var failures = 0
        while latest.status == .running {
            guard (try? await clock.sleep(for: interval)) != nil else { throw DataError(.cancelled) }
            do throws(DataError) {
                latest = try await catalogImport(id: latest.id)
                failures = 0
                onChange(latest)
            } catch {
                failures += 1
                guard error.isServerUnavailable, failures < Self.failureLimit else { throw error }
            }
        }
        return latest
    }

    // MARK: Variants

    /// Sets a variant's regular price. Scheduled prices do not change.
    public func setPrice(sku: String, _ price: Money) async throws(DataError) -> ManagedVariant {
        try await data.perform(Contract.updateVariant, sku, sending: VariantPatch(price: price))
    }

    /// - Throws: `.stockNegative` if fewer units would remain than are held for orders. Nothing is changed.
    public func changeStock(sku: String, _ change: StockChange) async throws(DataError) -> ManagedVariant {
        let patch =
            switch change {
            case .set(let units): VariantPatch(available: units)
            case .adjust(let units): VariantPatch(adjust: units)
            }
        return try await data.perform(Contract.updateVariant, sku, sending: patch)
    }

    /// One page of scheduled prices, newest first.
    ///
    /// - Parameter sku: nil for all SKUs.
    public func scheduledPrices(
        sku: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ScheduledPrice> {
        let query = ScheduledPricesQuery { ($0.sku, $0.page) = (sku, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.scheduledPrices, query: query)
    }

    /// All scheduled prices, newest first.
    ///
    /// - Parameter sku: nil for all SKUs.
    public func allScheduledPrices(sku: String? = nil) -> AllPages<ScheduledPrice> {
        data.all(Contract.scheduledPrices, query: ScheduledPricesQuery { $0.sku = sku })
    }

    /// Schedules a price for a period.
    public func schedulePrice(
        sku: String, _ price: Money, from startsAt: Date, until endsAt: Date
    ) async throws(DataError) -> ScheduledPrice {
        let body = ScheduledPriceRequest(sku: sku, price: price, startsAt: startsAt, endsAt: endsAt)
        return try await data.sendOnce(Contract.schedulePrice, sending: body)
    }

    public func removeScheduledPrice(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteScheduledPrice, id)
    }

    // MARK: Discounts

    /// One page, newest first.
    public func discounts(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<ManagedDiscount> {
        try await data.page(Contract.discounts, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// All discounts, newest first.
    public func allDiscounts() -> AllPages<ManagedDiscount> {
        data.all(Contract.discounts, query: PageQuery())
    }

    public func discount(id: String) async throws(DataError) -> ManagedDiscount {
        try await data.perform(Contract.discount, id)
    }

    /// The discount with the code, case-insensitive.
    ///
    /// - Throws: `.notFound`.
    public func discount(code: String) async throws(DataError) -> ManagedDiscount {
        for try await discount in allDiscounts() where discount.terms.code.uppercased() == code.uppercased() {
            return discount
        }
        throw DataError(.notFound)
    }

    /// - Throws: `.codeTaken`.
    public func addDiscount(_ terms: DiscountTerms) async throws(DataError) -> ManagedDiscount {
        try await data.sendOnce(Contract.addDiscount, sending: terms)
    }

    /// Sends the terms that differ from the shown ones. Another administrator's changes to other terms are kept.
    public func changeDiscount(
        _ shown: ManagedDiscount, to terms: DiscountTerms
    ) async throws(DataError) -> ManagedDiscount {
        try await data.perform(
            Contract.updateDiscount, shown.id, sending: DiscountPatch(from: shown.terms, to: terms))
    }

    public func removeDiscount(id: String) async throws(DataError) {
        try await data.perform(Contract.deleteDiscount, id)
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
