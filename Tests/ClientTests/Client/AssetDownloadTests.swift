import ClientTesting
import Foundation
import Loopback
import PouchClient
import PouchNetwork
import PouchTesting
import Synchronization
import Testing

/// Downloads of images to files, by a client of a shop.
@Suite(.timeLimit(.minutes(5)))
struct AssetDownloadTests {
    private static let picture = ProductImage(url: "/assets/large.jpg", alt: "")

    private let folder: TemporaryFolder
    private let target: URL
    private let content = Data(String(repeating: "0123456789", count: 30_000).utf8)

    init() throws {
        folder = try TemporaryFolder()
        target = folder.file("picture.jpg")
    }

    /// A server whose first responses break off after so many bytes.
    private func server(breakingAt cuts: [Int]) throws -> LoopbackServer {
        let (content, count) = (content, Counter())
        return try LoopbackServer { head, connection in
            let range = head.range(of: "Range: bytes=").flatMap { Int(head[$0.upperBound...].prefix { $0.isNumber }) }
            let start = range ?? 0
            let cut = count.value < cuts.count ? cuts[count.value] : content.count
            count.increment()
            let state = "ETag: \"7\"\r\nConnection: close\r\nContent-Length: \(content.count - start)\r\n"
            let place = "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n"
            connection.write("HTTP/1.1 \(range == nil ? "200 OK" : "206 Partial")\r\n\(state)")
            connection.write((range == nil ? "" : place) + "\r\n")
            connection.write(content[start..<max(start, cut)])
        }
    }

    private func client(
        of server: LoopbackServer, _ kind: SomeTransport, attempts: Int, reports: Reports = Reports()
    ) throws -> Pouch {
        var options = reports.options
        options.retries = .withoutPauses(attempts: attempts)
        return Pouch(server: try server.url(""), transport: try kind.make(), network: options)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a download continues after broken connections, and is reported once`(kind: SomeTransport) async throws {
        let server = try server(breakingAt: [100_000, 200_000])
        let reports = Reports()
        let progress = Mutex<[Int64]>([])
        let pouch = try client(of: server, kind, attempts: 2, reports: reports)
        try await pouch.assets.download(Self.picture, to: target) { received, total in
            #expect(total == 300_000)
            progress.withLock { $0.append(received) }
        }
        #expect(try Data(contentsOf: target) == content)
        #expect(try folder.files.map(\.lastPathComponent) == ["picture.jpg"])
        let sizes = progress.withLock { $0 }
        #expect(sizes == sizes.sorted() && sizes.last == 300_000)
        #expect(server.heads.count == 3)
        #expect(server.heads.dropFirst().allSatisfy { $0.contains("If-Range: \"7\"\r\n") })
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
        let pouch = Pouch(
            server: try #require(URL(string: "http://127.0.0.1")), transport: transport,
            network: NetworkOptions(retries: .once))
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
        let (gate, count) = (Gate(), Counter())
        let transport = StubTransport { _ in
            count.increment()
            await gate.pass()
            return NetworkResponse(status: 200, data: Data("x".utf8))
        }
        let pouch = Pouch(server: try #require(URL(string: "http://127.0.0.1")), transport: transport)
        let executor = SteppedExecutor()
        let tasks = (0..<6).map { number in
            Task(executorPreference: executor) { [folder] in
                try await pouch.assets.download(Self.picture, to: folder.file("\(number).jpg"))
            }
        }
        await gate.held(4)
        await executor.settle()
        #expect(count.value == 4)
        tasks[5].cancel()
        gate.open()
        for task in tasks.dropLast() { try await task.value }
        #expect(try folder.files.count >= 5)
    }
}
