import ClientTesting
import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchImport
import PouchRides
import PouchSandbox
import PouchServer
import PouchStorage
import ServerTesting
import Synchronization
import Testing

/// Serves a shop with stock on a free port while the closure runs.
///
/// - Parameter settings: The settings of the shop; nil for the defaults.
func withRunningShop<Value: Sendable>(
    settings: ShopSettings? = nil, in city: CitySettings = CitySettings(), selling feed: TestFeed = .sample,
    _ body: @Sendable (RunningShop) async throws -> Value
) async throws -> Value {
    let folder = try TemporaryFolder()
    return try await withCleanup({ try await TestDatabase.remove(folder.url) }) {
        var configuration = ServerConfiguration(database: try await TestDatabase(in: folder.url).address)
        configuration.dataFolder = folder.url
        configuration.shop = settings
        configuration.city = city
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        configuration.sandboxTiming = .init(slow: .milliseconds(20), lost: .milliseconds(20))
        (configuration.jobInterval, configuration.settlementInterval) = (.milliseconds(50), .milliseconds(50))
        configuration.waitsPatiently()
        return try await withServer(configuration, importing: try feed.reader(in: folder)) { shop, port in
            let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
            return try await body(RunningShop(url: url, responder: InProcessTransport(shop), services: shop.services))
        }
    }
}

/// A running shop, reachable over TCP (`url`) and without a socket (`responder`).
struct RunningShop: Sendable {
    let url: URL
    let responder: InProcessTransport
    let services: ShopServices
}

// MARK: - Feeds

/// The catalogue of a shop under test.
enum TestFeed {
    /// Three products, without promotions.
    case sample
    /// The demo shop, `Server/Demo`.
    case demo

    func reader(in folder: TemporaryFolder) throws -> any FeedReader {
        switch self {
        case .sample:
            let file = try folder.file("feed.csv", containing: SampleFeed.csv)
            return try FeedFormat.shopifyCSV.reader(at: file, currency: .eur)
        case .demo: return try FeedFormat.layersJSON.reader(at: Self.demoFolder, currency: .eur)
        }
    }

    static let demoFolder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Server/Demo")
}

/// A small catalogue as Shopify exports it.
enum SampleFeed {
    static let csv = """
        Handle,Title,Body (HTML),Type,Tags,Published,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price,Image Src
        ribbed-cardigan,Ribbed Cardigan,<p>Warm &amp; soft.</p>,Cardigans,wool,true,Size,S,5,129.00,https://example.com/c.jpg
        ribbed-cardigan,,,,,,,M,1,129.00,
        wool-scarf,Wool Scarf,Two metres of it.,Scarves,"wool, gift",true,Title,Default Title,3,42.99,
        sun-hat,Sun Hat,Made of straw.,Hats,summer,true,Title,Default Title,0,19.50,
        """
}

// MARK: - The clock

/// A clock for a server that stands still until a test moves it.
///
/// It starts at the current time, in whole seconds, so that tokens are valid for clients that use the real time.
final class SettableClock: TimeSource {
    private let time = Mutex(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded()))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }

    /// Moves the clock to the moment, unless that is in the past.
    func advance(to moment: Date) { time.withLock { $0 = max($0, moment) } }
}
