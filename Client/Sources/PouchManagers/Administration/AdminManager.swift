import Foundation
import PouchData
import PouchEntities

/// The administration of the shop. Without an administrator's session, the calls throw `.notSignedIn` or `.forbidden`.
public actor AdminManager {
    /// The number of failed requests in a row after which `follow` gives up. The server may be restarting.
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
        try await data.importCatalog(file: file, format: format, isDryRun: isDryRun, onProgress: onProgress)
    }

    public func catalogImport(id: String) async throws(DataError) -> CatalogImport {
        try await data.catalogImport(id: id)
    }

    /// Requests the progress of an import at intervals until it has ended. Waits for a server that is away for a while.
    ///
    /// - Throws: the error of the 20th request in a row that could not reach the server, or that it could not answer, such
    ///   as `.unreachable` and `.busy`; any other error at once.
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
                latest = try await data.catalogImport(id: latest.id)
                failures = 0
                onChange(latest)
            } catch {
                failures += 1
                guard error.meansServerIsAway, failures < Self.failureLimit else { throw error }
            }
        }
        return latest
    }

    // MARK: Variants

    /// Sets a variant's regular price. Scheduled prices stay.
    public func setPrice(sku: String, _ price: Money) async throws(DataError) -> ManagedVariant {
        try await data.updateVariant(sku: sku, price: price)
    }

    /// - Throws: `.stockNegative` where fewer units would be left than orders hold. Nothing is changed.
    public func changeStock(sku: String, _ change: StockChange) async throws(DataError) -> ManagedVariant {
        try await data.updateVariant(sku: sku, stock: change)
    }

    /// One page of scheduled prices, the latest first.
    ///
    /// - Parameter sku: nil for all SKUs.
    public func scheduledPrices(
        sku: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ScheduledPrice> {
        try await data.scheduledPrices(sku: sku, limit: limit, cursor: cursor)
    }

    /// All scheduled prices, the latest first.
    ///
    /// - Parameter sku: nil for all SKUs.
    public nonisolated func allScheduledPrices(sku: String? = nil) -> AllPages<ScheduledPrice> {
        AllPages { [data] cursor throws(DataError) in
            try await data.scheduledPrices(sku: sku, limit: 200, cursor: cursor)
        }
    }

    /// Schedules a price for a period.
    public func schedulePrice(
        sku: String, _ price: Money, from startsAt: Date, until endsAt: Date
    ) async throws(DataError) -> ScheduledPrice {
        try await data.schedulePrice(sku: sku, price: price, from: startsAt, until: endsAt)
    }

    public func removeScheduledPrice(id: String) async throws(DataError) {
        try await data.deleteScheduledPrice(id: id)
    }

    // MARK: Discounts

    /// One page, the latest first.
    public func discounts(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<ManagedDiscount> {
        try await data.discounts(limit: limit, cursor: cursor)
    }

    /// All discounts, the latest first.
    public nonisolated func allDiscounts() -> AllPages<ManagedDiscount> {
        AllPages { [data] cursor throws(DataError) in try await data.discounts(limit: 200, cursor: cursor) }
    }

    /// The discount with the code. Upper and lower case are equal.
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
        try await data.addDiscount(terms)
    }

    /// Sends the terms that differ from the shown ones. Changes of another administrator to other terms stay.
    public func changeDiscount(
        _ shown: ManagedDiscount, to terms: DiscountTerms
    ) async throws(DataError) -> ManagedDiscount {
        try await data.updateDiscount(id: shown.id, from: shown.terms, to: terms)
    }

    public func removeDiscount(id: String) async throws(DataError) {
        try await data.deleteDiscount(id: id)
    }
}
