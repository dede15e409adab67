import ClientTesting
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import PouchClient
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

    static let demoFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Server/Demo")
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

    /// Moves the clock to the moment, unless that is in the past.
    func advance(to moment: Date) { time.withLock { $0 = max($0, moment) } }
}

/// Passes requests of the SDK to the router of a server, without a socket.
struct InProcessTransport: Transport {
    private let responder: RouterResponder<PouchRequestContext>

    init(_ shop: ShopApplication) { responder = shop.router.buildResponder() }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        do { return StreamedResponse(try await respond(to: request)) } catch { throw .connectionLost("\(error)") }
    }

    private func respond(to request: NetworkRequest) async throws -> NetworkResponse {
        var fields = HTTPFields()
        for field in request.headers.fields {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let head = HTTPRequest(
            method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: "shop",
            path: request.url.path(percentEncoded: true) + query, headerFields: fields)
        var logger = Logger(label: "shop")
        logger.logLevel = .critical
        logger[metadataKey: "hb.request.id"] = "\(UUID().uuidString)"
        let context = PouchRequestContext(source: .init(channel: NIOAsyncTestingChannel(), logger: logger))
        let response = try await responder.respond(
            to: Request(head: head, body: .init(buffer: ByteBuffer(bytes: request.body ?? Data()))), context: context)
        let writer = CollectedBody()
        try await response.body.write(writer)
        return NetworkResponse(
            status: response.status.code,
            headers: HeaderFields(response.headers.map { .init(name: $0.name.rawName, value: $0.value) }),
            data: writer.data)
    }
}

/// Collects the body of a response in memory.
private final class CollectedBody: ResponseBodyWriter, Sendable {
    private let bytes = Mutex(ByteBuffer())

    var data: Data { bytes.withLock { Data($0.readableBytesView) } }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { bytes in
            var buffer = buffer
            bytes.writeBuffer(&buffer)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

// MARK: - A web server
/// Serves the same JSON at every path while the closure runs.
func withWebServer<Value: Sendable>(
    answering json: String, _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    let router = Router()
    router.get("**") { _, _ in
        Response(
            status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(string: json)))
    }
    return try await serve(router, body)
}

/// Serves the files of a folder while the closure runs.
func withWebServer<Value: Sendable>(
    of folder: URL, _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    let router = Router()
    router.addMiddleware { FileMiddleware(folder.path) }
    return try await serve(router, body)
}

/// Serves a router on a free port while the closure runs.
func serve<Value: Sendable>(
    _ router: Router<BasicRequestContext>, _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    try await withApplication(router) { address in try await body(#require(URL(string: address))) }
}
