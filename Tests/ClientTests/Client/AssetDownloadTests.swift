import ClientTesting
import Foundation
import Loopback
import PouchClient
import PouchNetwork
import PouchTesting
import Testing

/// Downloads of images to files, by a client of a shop.
@Suite(.timeLimit(.minutes(5)))
struct AssetDownloadTests {
    private static let picture = ProductImage(url: "/assets/large.jpg", alt: "")

    private let folder: TemporaryFolder
    private let target: URL

    init() throws {
        folder = try TemporaryFolder()
        target = folder.file("picture.jpg")
    }

    @Test(arguments: SomeTransport.allCases)
    func `a download continues after broken connections, and is reported once`(kind: SomeTransport) async throws {
        let (server, reports) = (try LoopbackServer.breaking(at: [100_000, 200_000]), Reports())
        var options = reports.options
        options.retries = .withoutPauses(attempts: 2)
        let pouch = Pouch(server: try server.url(""), transport: try kind.make(), network: options)
        let progress = Collector<Int64>()
        try await pouch.assets.download(Self.picture, to: target) { received, total in
            #expect(total == 300_000)
            progress.add(received)
        }
        #expect(try Data(contentsOf: target) == LoopbackServer.file)
        #expect(try folder.files.map(\.lastPathComponent) == ["picture.jpg"])
        #expect(progress.all == progress.all.sorted() && progress.all.last == 300_000)
        #expect(server.heads.count == 3)
        #expect(server.heads.dropFirst().allSatisfy { $0.contains("If-Range: \"one\"\r\n") })
        let report = try #require(reports.last)
        #expect(reports.all.count == 1 && report.attempts.count == 3)
        #expect((report.error, report.status, report.receivedBytes) == (nil, 206, 300_000))
    }

    @Test func `a missing picture, another address and a folder that is no folder are different errors`() async throws {
        let transport = StubTransport { request in
            switch request.url.path() {
            case "/assets/large.jpg": NetworkResponse(status: 200, data: Data("x".utf8))
            case "/assets/page.jpg": .text("<html>Not here.</html>", status: 404, type: "text/html")
            default: .problem(.notFound)
            }
        }
        let pouch = Pouch(server: try #require(URL(string: "http://127.0.0.1")), transport: transport, network: .once)
        func reason(_ url: String, _ file: URL) async -> DataError.Reason? {
            await thrownReason { try await pouch.assets.download(ProductImage(url: url, alt: ""), to: file) }
        }
        #expect(await reason("/assets/none.jpg", target) == .notFound)
        #expect(await reason("/assets/page.jpg", target) == .unreadableAnswer, "not the shop's word")
        #expect(await reason("/assets/../secret", target) == .notFound)
        #expect(await reason("file:///etc/hosts", target) == .notFound)
        #expect(await reason("/assets/large.jpg", folder.file("none/picture.jpg")) == .fileStorage)
        #expect(try folder.files.isEmpty)
    }

    @Test func `at most four downloads run at once`() async throws {
        let gate = Gate()
        let answer = NetworkResponse(status: 200, data: Data("x".utf8))
        let transport = RecordingTransport(heldBy: gate, answering: answer)
        let pouch = Pouch(server: try #require(URL(string: "http://127.0.0.1")), transport: transport)
        let executor = SteppedExecutor()
        let tasks = (0..<6).map { number in
            Task(executorPreference: executor) { [folder] in
                try await pouch.assets.download(Self.picture, to: folder.file("\(number).jpg"))
            }
        }
        await gate.held(4)
        await executor.settle()
        #expect(transport.requests.count == 4)
        tasks[5].cancel()
        gate.open()
        for task in tasks.dropLast() { try await task.value }
        #expect(try folder.files.count >= 5)
    }
}
