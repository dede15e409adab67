import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork

/// What a catalogue needs, which outlives its manager as it does on a device: a store, and the time.
struct CatalogUnderTest {
    let time = ManualClock()
    let store = MemoryStore()

    func catalog(
        over transport: any Transport, freshness: Freshness = Freshness(), random: Double = 0
    ) throws -> CatalogManager {
        manager(DataManager(service: try makeService(over: transport), store: store), freshness, random)
    }

    func feedCatalog(_ web: WebFolder, freshness: Freshness = Freshness()) throws -> CatalogManager {
        manager(try SampleFeed.data(web, store: store), freshness, 0)
    }

    private func manager(_ data: DataManager, _ freshness: Freshness, _ random: Double) -> CatalogManager {
        CatalogManager(
            data: data, freshness: freshness, now: { [time] in time.date }, clock: time, random: { random })
    }

    /// A shop that can be away.
    static func shop(gate: Gate? = nil) -> WebFolder {
        let web = WebFolder(gate: gate)
        web.put(Fixture.text(Page(items: [Fixture.season("71")])), at: "/v1/seasons")
        web.put(Fixture.text(Page(items: [Theme(id: "711", name: "Sea", seasonId: "71")])), at: "/v1/themes")
        web.put(
            Fixture.text(Page(items: [PouchEntities.Category(id: "hats", name: "Hats", productCount: 2)])),
            at: "/v1/categories")
        web.put(Fixture.text(Page(items: [Fixture.promotion("hat", 0)])), at: "/v1/promotions")
        web.put(Fixture.text(ProductPage(items: [Fixture.product("hat"), Fixture.product("cap")])), at: "/v1/products")
        web.put(Fixture.text(Fixture.product("hat")), at: "/v1/products/hat")
        return web
    }
}

extension Fixture {
    static func text(_ value: some Encodable) -> String { String(decoding: data(value), as: UTF8.self) }

    static func season(_ id: String) -> Season { Season(id: id, name: id) }

    static func promotion(_ handle: String, _ position: Int) -> Promotion {
        Promotion(
            product: product(handle), image: ProductImage(url: "/assets/\(handle).svg", alt: ""), position: position)
    }
}

/// Follows until a state is as it should be.
func first<Value>(
    _ states: AsyncStream<CatalogState<Value>>, _ isMeant: (CatalogState<Value>) -> Bool
) async throws -> CatalogState<Value> {
    for await state in states where isMeant(state) { return state }
    throw CancellationError()
}
