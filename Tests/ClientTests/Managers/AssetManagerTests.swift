import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AssetManagerTests {
    private static let path = "/assets/products/71616-18.svg"
    private let picture = ProductImage(url: Self.path, alt: "")
    private let web = WebFolder([Self.path: "<svg/>"])

    private func manager(
        over transport: any Transport, folder: URL? = nil, limits: ResponseCache.Limits = .init(),
        bodyLimit: Int = 16 << 20
    ) throws -> AssetManager {
        let assets = AssetService(
            root: try #require(URL(string: "http://127.0.0.1/assets")), transport: transport,
            cache: ResponseCache(folder: folder, limits: limits), bodyLimit: bodyLimit)
        let service = try makeService(over: transport, store: MemorySessionStore(Fixture.data(Fixture.session())))
        return AssetManager(data: DataManager(service: service, assets: assets))
    }

    private func image(_ url: String) -> ProductImage { ProductImage(url: url, alt: "") }

    @Test func `an image is downloaded once, then requested by its ETag`() async throws {
        let assets = try manager(over: web)
        for _ in 0..<2 { #expect(try await assets.data(of: picture).value == Data("<svg/>".utf8)) }
        #expect(web.requests.map { $0.headers["If-None-Match"] == nil } == [true, false])
    }

    @Test func `an image file keeps its extension, and outlives the process and the shop`() async throws {
        let folder = try TemporaryFolder()
        let file = try #require(try await manager(over: web, folder: folder.url).file(of: picture))
        #expect(file.pathExtension == "svg")
        #expect(try Data(contentsOf: file.value) == Data("<svg/>".utf8))
        web.setAway(true)
        let again = try #require(try await manager(over: web, folder: folder.url).file(of: picture))
        #expect(again.value == file.value && again.failure?.reason == .unreachable)
        let withoutFolder = try manager(over: WebFolder([Self.path: "<svg/>"]))
        #expect(try await withoutFolder.file(of: picture) == nil)
    }

    @Test func `an image that must not be stored, or is too large, has bytes but no file`() async throws {
        let unstored = WebFolder([Self.path: "<svg/>"], headers: ["Cache-Control": "no-store"])
        let large = WebFolder([Self.path: String(repeating: "x", count: 1_000)])
        for web in [unstored, large] {
            let folder = try TemporaryFolder()
            var limits = ResponseCache.Limits()
            limits.diskBytes = 2_000
            let assets = try manager(over: web, folder: folder.url, limits: limits)
            #expect(try await assets.file(of: picture) == nil)
            #expect(try await !assets.data(of: picture).value.isEmpty)
        }
    }

    @Test func `no image request has the session's token`() async throws {
        web.put("<svg/>", at: "/elsewhere.svg")
        let assets = try manager(over: web)
        _ = try await assets.data(of: picture)
        _ = try await assets.data(of: image("https://images.example.org/elsewhere.svg"))
        #expect(web.requests.map { $0.url.host() } == ["127.0.0.1", "images.example.org"])
        #expect(web.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://example.org/a.png", "data:image/png;base64,AAAA", "products/a.svg", "",
        "/v1/cart", "/assets/../v1/cart", "/assets/%2e%2e/v1/cart", "/assets//a.svg", "http:///a.svg",
        "https://user:secret@example.org/a.svg", "//example.org/a.svg",
    ])
    func `an address that is not an image's is not requested`(address: String) async throws {
        let assets = try manager(over: web)
        #expect(await thrownReason { try await assets.data(of: image(address)) } == .notFound)
        #expect(web.requests.isEmpty)
    }

    @Test func `a missing image is not found`() async throws {
        let assets = try manager(over: web)
        #expect(await thrownReason { try await assets.data(of: image("/assets/none.svg")) } == .notFound)
    }

    @Test func `an image that is too large is an error, and is not cached`() async throws {
        let assets = try manager(over: web, bodyLimit: 5)
        for _ in 0..<2 { #expect(await thrownReason { try await assets.data(of: picture) } == .unreadableAnswer) }
        #expect(web.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    }
}
