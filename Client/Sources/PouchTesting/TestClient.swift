import Foundation
import PouchClient
import PouchData
import PouchEntities
import PouchJSON
import PouchManagers
import PouchNetwork
import PouchService

extension Pouch {
    /// A client of a test shop. A call is made once, without retries.
    ///
    ///     let shop = TestShop()
    ///     let pouch = Pouch(testing: shop, signedInAs: .sample(), store: MemoryStore(), clock: ManualClock())
    ///
    /// - Parameters:
    ///   - shop: answers the calls.
    ///   - session: the session that the device stored before; nil for a visitor without one.
    ///   - catalog: returns the source of the catalogue, as in `Pouch(server:catalog:)`.
    ///   - promotions: returns the sources of the promotions, likewise.
    ///   - store: the local store. With one, cart edits that cannot reach the shop are queued.
    ///   - freshness: the age at which catalogue data is refreshed.
    ///   - clock: measures the intervals and pauses of the managers: refreshes, retries of edits, the progress of
    ///     orders.
    ///   - timeoutClock: measures the timeouts of requests, except those for images. It is a separate clock, so that a
    ///     test that lets an interval pass does not end a request.
    ///   - now: the time of day; nil for the `date` of a `ManualClock`, and for `Date.sample` with another clock.
    ///   - reportRow: called for each row of a list that could not be read.
    public init(
        testing shop: TestShop,
        signedInAs session: UserSession? = nil,
        catalog: @escaping @Sendable (_ server: any CatalogSource) -> any CatalogSource = { $0 },
        promotions: (@Sendable (_ catalog: any CatalogSource) -> [any PromotionSource])? = nil,
        store: (any LocalStore)? = nil,
        freshness: Freshness = Freshness(),
        clock: any Clock<Duration> = ContinuousClock(),
        timeoutClock: any Clock<Duration> = ContinuousClock(),
        now: (@Sendable () -> Date)? = nil,
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        let manual = clock as? ManualClock
        let now = now ?? { manual?.date ?? .sample }
        if let session { shop.change { $0.keep(session) } }
        let server = URL(filePath: "/")
        let service = APIWrapper(
            server: URL(string: "http://shop.test") ?? server, transport: shop,
            sessionStore: MemorySessionStore(session.flatMap { try? $0.json() }),
            options: NetworkOptions(retries: .once, requestLimit: 1_000), clock: timeoutClock, now: now)
        let data = DataManager(
            service: service, catalog: catalog, promotions: promotions,
            assets: AssetService(
                root: URL(string: "http://shop.test/assets") ?? server, isOfServer: true, transport: shop,
                cache: ResponseCache(), options: NetworkOptions(retries: .once)),
            store: store ?? MemoryStore(), reportRow: reportRow, now: now)
        self.init(data: data, queuesCartEdits: store != nil, freshness: freshness, clock: clock, now: now)
    }
}
