import Foundation
import PouchData
import PouchEntities

/// Runs the shop, for an administrator who is signed in; for anyone else the calls throw `.notSignedIn` or `.forbidden`.
public actor AdminManager {
    /// How often in a row following an import may fail to reach the server, which may be starting anew.
    private static let patience = 20

    private let data: DataManager
    private let clock: any Clock<Duration>

    /// The clock waits between two looks at an import.
    public init(data: DataManager, clock: any Clock<Duration> = ContinuousClock()) {
        self.data = data
        self.clock = clock
    }

    // MARK: Imports

    /// Sends a feed. Returns when the server has it; `follow` waits for the end. A dry run finds out what would change, and
    /// changes nothing.
    ///
    /// `onProgress` is told the bytes that were sent so far and those of the whole file, from any thread.
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

    /// Looks again and again until the import has ended, and tells what each look has found; a server that is away for a
    /// while is waited for.
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
                guard error.mayPass, failures < Self.patience else { throw error }
            }
        }
        return latest
    }

    // MARK: Variants

    /// Sets a variant's own price; what is scheduled stays.
    public func setPrice(sku: String, _ price: Money) async throws(DataError) -> ManagedVariant {
        try await data.updateVariant(sku: sku, price: price)
    }

    /// - Throws: `.stockNegative` where fewer would be left than orders hold; nothing is changed then.
    public func changeStock(sku: String, _ change: StockChange) async throws(DataError) -> ManagedVariant {
        try await data.updateVariant(sku: sku, stock: change)
    }

    /// One page of the prices that hold for a time, the latest first, of one SKU or of all.
    public func scheduledPrices(
        sku: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<ScheduledPrice> {
        try await data.scheduledPrices(sku: sku, limit: limit, cursor: cursor)
    }

    /// Gives a SKU another price for a time.
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

    /// The discount that has the code, in capitals or small letters.
    ///
    /// - Throws: `.notFound`.
    public func discount(code: String) async throws(DataError) -> ManagedDiscount {
        var cursors = CursorTrail()
        var cursor: String?
        repeat {
            let page = try await data.discounts(limit: 200, cursor: cursor)
            if let found = page.items.first(where: { $0.terms.code.uppercased() == code.uppercased() }) {
                return found
            }
            cursor = try cursors.follow(page.nextCursor)
        } while cursor != nil
        throw DataError(.notFound)
    }

    /// - Throws: `.codeTaken`.
    public func addDiscount(_ terms: DiscountTerms) async throws(DataError) -> ManagedDiscount {
        try await data.addDiscount(terms)
    }

    /// Changes what differs from what was shown, so that what another administrator changed meanwhile stays.
    public func changeDiscount(
        _ shown: ManagedDiscount, to terms: DiscountTerms
    ) async throws(DataError) -> ManagedDiscount {
        try await data.updateDiscount(id: shown.id, from: shown.terms, to: terms)
    }

    public func removeDiscount(id: String) async throws(DataError) {
        try await data.deleteDiscount(id: id)
    }

    // MARK: Orders

    /// One page of everybody's orders, the latest first; with a status, those that have it.
    public func orders(
        status: OrderStatus? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Order> {
        try await data.allOrders(status: status, limit: limit, cursor: cursor)
    }

    /// Tells that an order was sent.
    public func fulfil(id: String) async throws(DataError) -> Order {
        try await data.fulfilOrder(id: id)
    }

    /// Tells that an order has arrived.
    public func deliver(id: String) async throws(DataError) -> Order {
        try await data.deliverOrder(id: id)
    }

    /// Gives back a part of an order's charge, or all that is left.
    ///
    /// A refund that ended without a clear outcome may simply be tried again: it bears the same idempotency key, and is
    /// done at most once. Where the store outlives the process, so does the key; where it does not, one's own key is for a
    /// try in another process.
    public func refund(orderId: String, _ draft: RefundDraft, key: String? = nil) async throws(DataError) -> Refund {
        try await data.refundOrder(id: orderId, draft, idempotencyKey: key)
    }
}

extension DataError {
    /// Whether the server may answer again in a while.
    fileprivate var mayPass: Bool {
        switch reason {
        case .unreachable, .timedOut, .busy, .serverFailed: true
        default: false
        }
    }
}
