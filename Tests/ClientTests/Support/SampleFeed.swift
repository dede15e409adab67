import ClientTesting
import Foundation
import PouchData
import PouchService
import PouchTesting

/// The three files of a small LAYERS feed.
enum SampleFeed {
    static let seasons = """
        {"seasons":[{"id":"71","name":"Spring","themes":[{"id":"716","name":"Salt Meadow"}]}]}
        """

    static let products = """
        {"products":[
        {"name":"Ribbed Cardigan","style":"71616","category":"Cardigans","season":"Spring","theme":"Salt Meadow",
         "price":{"currencyCode":"EUR","retail":"129.00"},"colors":[18,39],"sizes":["s","m"],
         "stock":{"18-s":2,"18-m":0},"images":["71616-18.svg"],"gridImage":"71616-39.svg"},
        {"name":"Dune Jumper","style":"71617","category":"Jumpers","season":"Spring","theme":"Salt Meadow",
         "price":{"retail":99},"colors":[25],"images":["71617-25.svg"]},
        {"name":"Harbour Scarf","style":"72101","category":"Scarves","season":"Autumn",
         "price":{"retail":39},"sizes":["one"],"stock":{"one":5}}
        ]}
        """

    static let slides = """
        [{"name":"Dune Jumper","style":"71617","category":"Jumpers","promoImage":"71617.svg"},
         {"name":"Ribbed Cardigan","style":"71616"}]
        """

    static func web(
        seasons: String? = seasons, products: String? = products, slides: String? = slides, gate: Gate? = nil
    ) -> WebFolder {
        let web = WebFolder(gate: gate)
        web.put(seasons, at: "/feed/seasons.json")
        web.put(products, at: "/feed/products.json")
        web.put(slides, at: "/feed/slides.json")
        return web
    }

    private static func url() throws -> URL {
        guard let url = URL(string: "http://127.0.0.1/feed/") else { throw CocoaError(.fileNoSuchFile) }
        return url
    }

    static func source(
        _ web: WebFolder, reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) throws -> FeedSource {
        FeedSource(FeedService(feed: try url(), transport: web), reportRow: reportRow)
    }

    static func data(_ web: WebFolder, store: MemoryStore = MemoryStore()) throws -> DataManager {
        DataManager(
            catalog: try source(web),
            assets: AssetService(root: try url(), transport: web, cache: ResponseCache()), store: store)
    }
}
