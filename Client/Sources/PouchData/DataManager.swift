import Foundation
import PouchEntities
import PouchService
import Synchronization

/// Converts the service's raw data to the model and back, with one method per endpoint. It keeps no instances and gives
/// them no meaning, which is for the managers:
///
///     let data = DataManager(service: service, store: store)
///     let page = try await data.products(ProductQuery(search: "cardigan"))
///     if page.failure != nil { showOffline(asOf: page.asOf) }
public final class DataManager: Sendable {
    /// A structure, because a bare closure gets one more wrapper each time it is read from a Mutex.
    private struct ContactHandler {
        let call: @Sendable (_ answered: Bool) -> Void
    }

    /// nil for a shop that is a feed.
    let service: APIWrapper?
    /// nil for a shop with a server.
    let feed: FeedSource?
    let assets: AssetService?
    /// The catalogue, carts, orders and pending writes on this device.
    public let store: any LocalStore
    let now: @Sendable () -> Date
    let makeKey: @Sendable () -> String
    let reportRow: @Sendable (RowReport) -> Void
    private let contactHandler = Mutex<ContactHandler?>(nil)

    /// - Parameters:
    ///   - assets: downloads images; without it they are `.notOffered`.
    ///   - store: keeps the catalogue, carts, orders and pending writes.
    ///   - reportRow: called for each row of a list that cannot be read and is left out.
    ///   - now: the current time, which decides whether a pending write may be sent again.
    ///   - makeKey: makes idempotency keys.
    public init(
        service: APIWrapper,
        assets: AssetService? = nil,
        store: any LocalStore = MemoryStore(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        self.service = service
        feed = nil
        self.assets = assets
        self.store = store
        self.now = now
        self.makeKey = makeKey
        self.reportRow = reportRow
    }

    /// A shop that is a feed: its catalogue can be read, and everything else throws `.notOffered`.
    public init(
        feed: FeedService,
        settings: FeedSettings = FeedSettings(),
        assets: AssetService? = nil,
        store: any LocalStore = MemoryStore(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        service = nil
        self.feed = FeedSource(service: feed, settings: settings)
        self.assets = assets
        self.store = store
        now = { Date() }
        makeKey = { UUID().uuidString }
        self.reportRow = reportRow
    }

    /// Sets the handler that is called at the end of each call with whether the server answered. It is not called where
    /// that is unknown, as after a cancelled call. A later handler replaces an earlier one.
    public func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {
        contactHandler.withLock { $0 = ContactHandler(call: handler) }
    }

    func reportContact(_ answered: Bool?) {
        if let answered { contactHandler.withLock { $0 }?.call(answered) }
    }

    /// The owner of the current session, possibly a guest's; throws `.notSignedIn` without one. Data stored for one
    /// owner is never given to another.
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
