import ClientTesting
import Foundation
import Loopback
import PouchNetwork
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
    private let folder: TemporaryFolder
    private let target: URL
    private let content = LoopbackServer.file

    init() throws {
        folder = try TemporaryFolder()
        target = folder.file("feed.csv")
    }

    private var files: [String] { get throws { try folder.files.map(\.lastPathComponent) } }

    private func session(_ kind: SomeTransport = .urlSession, attempts: Int = 1) throws -> NetworkSession {
        NetworkSession(try kind.make(), retries: .withoutPauses(attempts: attempts))
    }

    private func expectContent(of server: LoopbackServer) async throws {
        try await session(attempts: 2).download(NetworkRequest(url: server.url("/")), to: target)
        #expect(try Data(contentsOf: target) == content)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a file arrives whole, with progress reports and no leftovers`(kind: SomeTransport) async throws {
        let content = content
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n")
            connection.write(content)
        }
        try Data("old".utf8).write(to: target)
        let reports = Collector<Int64>()
        let (session, request) = (try session(kind), NetworkRequest(url: try server.url("/")))
        let headers = try await session.download(request, to: target) { size, total in
            #expect(total == 300_000)
            reports.add(size)
        }
        #expect(headers["etag"] == "\"1\"")
        #expect(try Data(contentsOf: target) == content)
        #expect(try files == ["feed.csv"])
        #expect(reports.all.last == 300_000 && reports.all == reports.all.sorted())
        #expect(server.heads.first?.lowercased().contains("accept-encoding: identity") == true)
    }

    @Test(
        arguments: SomeTransport.allCases,
        ["ETag: \"one\"", "Date: Mon, 07 Nov 1994 08:49:37 GMT\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT"])
    func `an interrupted download continues in a later call`(kind: SomeTransport, validator: String) async throws {
        let server = try LoopbackServer.breaking(validators: [validator])
        let request = NetworkRequest(url: try server.url("/"))
        try Data("old".utf8).write(to: target)
        await #expect(throws: DownloadError.self) { try await session(kind).download(request, to: target) }
        #expect(try Data(contentsOf: target) == Data("old".utf8), "an incomplete file never replaces a complete one")
        try await session(kind).download(request, to: target)
        #expect(try Data(contentsOf: target) == content)
        #expect(server.heads.last?.contains("Range: bytes=") == true)
        #expect(try files == ["feed.csv"])
    }

    @Test func `an interrupted download continues in the same call if the policy allows`() async throws {
        let server = try LoopbackServer.breaking()
        try await expectContent(of: server)
        #expect(server.heads.count == 2)
    }

    private static let changed = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            (["ETag: \"one\"", "ETag: \"two\""], true), (["ETag: W/\"one\""], false), (["X-None: 1"], false),
            // A file may change again in the second of its date.
            ([changed], false), (["Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n" + changed], false),
        ])
    func `a file that may have changed is downloaded whole`(validators: [String], asksForRest: Bool) async throws {
        let server = try LoopbackServer.breaking(validators: validators)
        try await expectContent(of: server)
        #expect(try files == ["feed.csv"])
        #expect(server.heads.last?.contains("Range:") == asksForRest)
    }

    @Test func `a download starts over if the server ignores the range`() async throws {
        try await expectContent(of: LoopbackServer.breaking(ignoresRange: true))
    }

    @Test func `a range other than the requested one is not appended`() async throws {
        let (server, reports) = (try LoopbackServer.breaking(misplaced: true), Reports())
        var session = try session(attempts: 2)
        session.options.observe = reports.options.observe
        try await session.download(NetworkRequest(url: server.url("/")), to: target)
        #expect(try Data(contentsOf: target) == content)
        #expect(server.heads.count == 3)
        let report = try #require(reports.last)
        #expect(report.attempts.dropFirst().map(\.outcome) == [.answered(status: 206), .answered(status: 200)])
        #expect(report.attempts.allSatisfy { $0.endedAt != nil })
        #expect(server.heads.last?.contains("Range:") == false)
    }

    @Test(.enabled("root can write to any folder") { geteuid() != 0 })
    func `a partial file that does not match and cannot be deleted is an error, not an endless loop`() async throws {
        let server = try LoopbackServer { head, connection in
            connection.write(
                head.contains("Range:")
                    ? "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\nok"
                    : "HTTP/1.1 200 OK\r\nETag: \"2\"\r\nContent-Length: 2\r\n\r\nok")
        }
        let url = try server.url("/")
        try Data("old".utf8).write(to: target.appendingPathExtension("partial"))
        try Data("\(url)\n\"1\"".utf8).write(to: target.appendingPathExtension("partial-validator"))
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
        let error = await #expect(throws: DownloadError.self) {
            try await session().download(NetworkRequest(url: url), to: target)
        }
        #expect(error?.isOfStorage == true)
        #expect(server.heads.count == 2)
    }

    @Test(arguments: [100_000, 300_000])
    func `after a 416 the file is either complete or downloaded from the start`(size: Int) async throws {
        let content = content
        try content.prefix(size).write(to: target.appendingPathExtension("partial"))
        let server = try LoopbackServer { head, connection in
            if head.contains("Range:") {
                connection.write(httpAnswer("416 No", "Content-Range: bytes */300000"))
            } else {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nConnection: close\r\n\r\n")
                connection.write(content)
            }
        }
        let url = try server.url("/")
        try Data("\(url)\n\"one\"".utf8).write(to: target.appendingPathExtension("partial-validator"))
        try await session().download(NetworkRequest(url: url), to: target)
        #expect(try Data(contentsOf: target) == content)
        #expect(server.heads.count == (size == content.count ? 1 : 2))
        #expect(try files == ["feed.csv"])
    }

    @Test func `a refusal is thrown with its status, and touches no file`() async throws {
        let server = try LoopbackServer { _ in httpAnswer("404 Not Found", body: "no") }
        await #expect {
            try await session().download(NetworkRequest(url: server.url("/")), to: target)
        } throws: { error in
            guard case .refused(let response) = error as? DownloadError else { return false }
            return response.status == 404 && response.data == Data("no".utf8)
        }
        #expect(try files.isEmpty)
    }

    @Test func `a missing folder is a storage error`() async throws {
        let server = try LoopbackServer { _ in httpAnswer(body: "ok") }
        let error = await #expect(throws: DownloadError.self) {
            try await session().download(NetworkRequest(url: server.url("/")), to: folder.file("none/feed.csv"))
        }
        #expect(error?.isOfStorage == true)
    }

    @Test(arguments: SomeTransport.allCases)
    func `cancelling ends a download and keeps the bytes that had arrived`(kind: SomeTransport) async throws {
        let gate = Gate()
        let server = try LoopbackServer(
            beginning: "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 900000\r\n\r\n", Data(count: 300_000))
        let (session, url) = (try session(kind), try server.url("/"))
        let task = Task {
            try await session.download(NetworkRequest(url: url), to: target) { size, _ in
                if size >= 200_000 { gate.open() }
            }
        }
        await gate.pass()
        task.cancel()
        await #expect(throws: DownloadError.network(.cancelled)) { try await task.value }
        #expect(try files == ["feed.csv.partial", "feed.csv.partial-validator"])
        #expect(server.heads.count == 1)
    }

    @Test func `silence longer than the timeout ends a download`() async throws {
        let (clock, gate) = (ManualClock(), Gate())
        let server = try LoopbackServer(
            beginning: "HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n", Data(count: 100_000))
        var session = try session()
        session.clock = clock
        let (running, target, url) = (session, target, try server.url("/"))
        let task = Task {
            try await running.download(NetworkRequest(url: url), to: target) { size, _ in
                if size == 100_000 { gate.open() }
            }
        }
        await gate.pass()
        await clock.advance(by: .seconds(30))
        await #expect(throws: DownloadError.network(.timedOut)) { try await task.value }
        #expect(server.heads.count == 1)
    }

    @Test func `the partial file of one URL is not continued from another`() async throws {
        let server = try LoopbackServer.breaking()
        await #expect(throws: DownloadError.self) {
            try await session().download(NetworkRequest(url: server.url("/a")), to: target)
        }
        try await session().download(NetworkRequest(url: server.url("/b")), to: target)
        #expect(server.heads.last?.contains("Range:") == false)
    }

    @Test func `Retry-After is respected, unless it is too long`() async throws {
        for (asked, count) in [("7", 2), ("3600", 1)] {
            let transport = RecordingTransport { _ in NetworkResponse(status: 503, headers: ["Retry-After": asked]) }
            let (clock, target) = (ManualClock(), target)
            let running = NetworkSession(transport, retries: .withoutPauses(attempts: 2), clock: clock)
            let url = try #require(URL(string: "http://127.0.0.1/"))
            let task = Task { try await running.download(NetworkRequest(url: url, timeout: nil), to: target) }
            if count == 2 { await clock.tick() }
            await #expect(throws: DownloadError.self) { try await task.value }
            #expect(transport.requests.count == count)
            #expect(clock.slept == (count == 2 ? [.seconds(7)] : []))
        }
    }

    @Test func `a request that is not safe to repeat is sent once`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .connectionLost("") }
        let session = NetworkSession(transport, retries: RetryPolicy(attempts: 3))
        let url = try #require(URL(string: "http://127.0.0.1/"))
        await #expect(throws: DownloadError.self) {
            try await session.download(NetworkRequest(url: url, method: "POST"), to: target)
        }
        #expect(transport.requests.count == 1)
    }
}

extension DownloadError {
    fileprivate var isOfStorage: Bool { if case .storage = self { true } else { false } }
}
