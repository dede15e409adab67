import Foundation
import PouchEntities
import PouchService

/// Converts the service's raw data to the model and back. It keeps no state. Managers decide what values mean.
///
///     let data = DataManager(service: service, store: store)
///     let page = try await data.products(ProductQuery(search: "cardigan"))
///     if page.failure != nil { showOffline(asOf: page.asOf) }
public final class DataManager: Sendable {
    /// nil for a shop without a server.
    let service: APIWrapper?
    private let makeSource: @Sendable (DataManager) -> any CatalogSource
    private let promotionSources: (@Sendable (_ catalog: any CatalogSource) -> [any PromotionSource])?
    let assets: AssetService?
    /// The catalogue, carts, orders and pending writes on this device.
    public let store: any LocalStore
    let now: @Sendable () -> Date
    let makeKey: @Sendable () -> String
    let reportRow: @Sendable (RowReport) -> Void
    let contact = ContactReporter()

    /// - Parameters:
    ///   - catalog: returns the source of the catalogue, by default the server's own, which it receives.
    ///   - promotions: returns the sources of the promotions, and receives the catalogue's source; nil for only that
    ///     one.
    ///   - assets: downloads images; without it they are `.notOffered`.
    ///   - store: stores the catalogue, carts, orders and pending writes.
    ///   - reportRow: called for each row of a list that cannot be read and is skipped.
    ///   - now: the current time, which decides whether a pending write may be sent again.
    ///   - makeKey: creates idempotency keys.
    public init(
        service: APIWrapper,
        catalog: @escaping @Sendable (_ server: any CatalogSource) -> any CatalogSource = { $0 },
        promotions: (@Sendable (_ catalog: any CatalogSource) -> [any PromotionSource])? = nil,
        assets: AssetService? = nil,
        store: any LocalStore = MemoryStore(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        self.service = service
        makeSource = { catalog(ServerSource(data: $0)) }
        promotionSources = promotions
        self.assets = assets
        self.store = store
        self.now = now
        self.makeKey = makeKey
        self.reportRow = reportRow
    }

    /// A shop without a server, such as a feed: its catalogue can be read, and everything else throws `.notOffered`.
    public init(catalog: any CatalogSource, assets: AssetService? = nil, store: any LocalStore = MemoryStore()) {
        service = nil
        makeSource = { _ in catalog }
        promotionSources = nil
        self.assets = assets
        self.store = store
        now = { Date() }
        makeKey = { UUID().uuidString }
        reportRow = { _ in }
        catalog.onContact { [contact] in contact.report($0) }
    }

    /// The catalogue, from its source and the local store. Create it once and keep it.
    public func catalog() -> ShopCatalog {
        let source = makeSource(self)
        return ShopCatalog(source: source, promotionSources: promotionSources?(source), store: store)
    }

    /// Succeeds when the shop can be reached: its server, or the source of a catalogue without one.
    public func ready() async throws(DataError) {
        if service != nil { try await healthReady() } else { try await makeSource(self).ready() }
    }

    /// Sets the handler that is called after each call with whether the shop responded. It is not called if that is
    /// unknown, for example after a cancelled call. A later handler replaces an earlier one.
    public func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) { contact.onContact(handler) }

    /// The owner of the current session, possibly a guest's; throws `.notSignedIn` without one. Data stored for one
    /// owner is never returned to another.
    public func owner() async throws(DataError) -> String {
        guard service != nil else { throw DataError(.notOffered) }
        guard let owner = try await knownOwner() else { throw DataError(.notSignedIn) }
        return owner
    }

    func knownOwner() async throws(DataError) -> String? {
        try await mappingServiceErrors(await service?.owner())
    }

    /// Removes everything stored for the owner, including pending writes.
    public func removeEverything(of owner: String) async throws(DataError) {
        try await mappingStoreErrors(await store.removeEverything(of: owner))
    }
}
