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
    private func manager(
        over transport: any Transport, root: String = "http://127.0.0.1/assets", folder: URL? = nil,
        limits: ResponseCache.Limits = .init()
    ) throws -> AssetManager {
        let assets = AssetService(
            root: try #require(URL(string: root)), transport: transport,
            cache: ResponseCache(folder: folder, limits: limits))
        let service = try makeService(over: transport, store: MemorySessionStore(Fixture.data(Fixture.session())))
        return AssetManager(data: DataManager(service: service, assets: assets))
    }

    private func image(_ url: String) -> ProductImage { ProductImage(url: url, alt: "") }

    private func web() -> WebFolder { WebFolder(["/assets/products/71616-18.svg": "<svg/>"]) }

    @Test func `an image is downloaded once, then requested by its ETag`() async throws {
        let web = web()
        let assets = try manager(over: web)
        for _ in 0..<2 {
            #expect(try await assets.data(of: image("/assets/products/71616-18.svg")).value == Data("<svg/>".utf8))
        }
        #expect(web.requests.map { $0.headers["If-None-Match"] == nil } == [true, false])
    }

    @Test func `an image file keeps its extension, and outlives the process and the shop`() async throws {
        let folder = try TemporaryFolder()
        let web = web()
        let file = try #require(
            try await manager(over: web, folder: folder.url).file(of: image("/assets/products/71616-18.svg")))
        #expect(file.pathExtension == "svg")
        #expect(try Data(contentsOf: file.value) == Data("<svg/>".utf8))
        web.setAway(true)
        let again = try #require(
            try await manager(over: web, folder: folder.url).file(of: image("/assets/products/71616-18.svg")))
        #expect(again.value == file.value && again.failure?.reason == .unreachable)
        #expect(try await manager(over: self.web()).file(of: image("/assets/products/71616-18.svg")) == nil)
    }

    @Test func `an image that must not be stored, or is too large, has bytes but no file`() async throws {
        let path = "/assets/products/71616-18.svg"
        let unstored = WebFolder([path: "<svg/>"], headers: ["Cache-Control": "no-store"])
        let large = WebFolder([path: String(repeating: "x", count: 1_000)])
        for web in [unstored, large] {
            let folder = try TemporaryFolder()
            var limits = ResponseCache.Limits()
            limits.diskBytes = 2_000
            let assets = try manager(over: web, folder: folder.url, limits: limits)
            #expect(try await assets.file(of: image(path)) == nil)
            #expect(try await !assets.data(of: image(path)).value.isEmpty)
        }
    }

    @Test func `no image request has the session's token`() async throws {
        let web = web()
        web.put("<svg/>", at: "/elsewhere.svg")
        let assets = try manager(over: web)
        _ = try await assets.data(of: image("/assets/products/71616-18.svg"))
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
        let web = web()
        let assets = try manager(over: web)
        #expect(await thrownReason { try await assets.data(of: image(address)) } == .notFound)
        #expect(web.requests.isEmpty)
    }

    @Test func `a missing image is not found`() async throws {
        let assets = try manager(over: web())
        #expect(await thrownReason { try await assets.data(of: image("/assets/none.svg")) } == .notFound)
    }

    @Test func `an image that is too large is an error, and is not cached`() async throws {
        let web = web()
        let assets = AssetService(
            root: try #require(URL(string: "http://127.0.0.1/assets")), transport: web, cache: ResponseCache(),
            bodyLimit: 5)
        let manager = AssetManager(data: DataManager(service: try makeService(over: web), assets: assets))
        for _ in 0..<2 {
            #expect(
                await thrownReason { try await manager.data(of: image("/assets/products/71616-18.svg")) }
                    == .unreadableAnswer)
        }
        #expect(web.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    }
}
