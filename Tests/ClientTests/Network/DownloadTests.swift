import ClientTesting
import Foundation
import Loopback
import PouchNetwork
import PouchTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
    private let folder: TemporaryFolder
    private let target: URL
    private let content = Data(String(repeating: "0123456789", count: 30_000).utf8)

    init() throws {
        folder = try TemporaryFolder()
        target = folder.file("feed.csv")
    }

    private var files: [String] {
        get throws { try folder.files.map(\.lastPathComponent) }
    }

    private func session(_ kind: SomeTransport = .urlSession, attempts: Int = 1) throws -> NetworkSession {
        NetworkSession(try kind.make(), retries: .withoutPauses(attempts: attempts))
    }

    private func expectContent(of server: LoopbackServer, attempts: Int) async throws {
        try await session(attempts: attempts).download(NetworkRequest(url: server.url("/")), to: target)
        #expect(try Data(contentsOf: target) == content)
    }

    /// A server that cuts its first response short, and accepts a range of the rest if the validator matches.
    private func breakingServer(
        at cut: Int, validators: [String], ignoresRange: Bool = false, misplaced: Bool = false
    ) throws -> LoopbackServer {
        let (content, count) = (content, Counter())
        return try LoopbackServer { head, connection in
            let validator = validators[min(count.value, validators.count - 1)]
            count.increment()
            let first = head.range(of: "Range: bytes=").flatMap { Int(head[$0.upperBound...].prefix { $0.isNumber }) }
            let value = validator.split(separator: "\r\n").last?.drop { $0 != ":" }.dropFirst(2) ?? ""
            let isSame = head.contains("If-Range: \(value)\r\n")
            if let first, isSame, !ignoresRange {
                let range = "\(misplaced ? first - 1 : first)-\(content.count - 1)/\(content.count)"
                connection.write(
                    "HTTP/1.1 206 Partial\r\n\(validator)\r\nContent-Length: \(content.count - first)\r\n"
                        + "Content-Range: bytes \(range)\r\nConnection: close\r\n\r\n")
                connection.write(content[first...])
            } else {
                connection.write(
                    "HTTP/1.1 200 OK\r\n\(validator)\r\nContent-Length: \(content.count)\r\nConnection: close\r\n\r\n")
                connection.write(count.value == 1 ? content[..<cut] : content)
            }
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a file arrives whole, with progress reports and no leftovers`(kind: SomeTransport) async throws {
        let content = content
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n")
            connection.write(content)
        }
        try Data("old".utf8).write(to: target)
        let reports = Mutex<[Int64]>([])
        let (session, request) = (try session(kind), NetworkRequest(url: try server.url("/")))
        let headers = try await session.download(request, to: target) { size, total in
            #expect(total == 300_000)
            reports.withLock { $0.append(size) }
        }
        #expect(headers["etag"] == "\"1\"")
        #expect(try Data(contentsOf: target) == content)
        #expect(try files == ["feed.csv"])
        #expect(reports.withLock { $0.last == 300_000 && $0 == $0.sorted() })
        #expect(server.heads.first?.lowercased().contains("accept-encoding: identity") == true)
    }

    @Test(
        arguments: SomeTransport.allCases,
        ["ETag: \"one\"", "Date: Mon, 07 Nov 1994 08:49:37 GMT\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT"])
    func `an interrupted download continues in a later call`(kind: SomeTransport, validator: String) async throws {
        let server = try breakingServer(at: 100_000, validators: [validator])
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
        let server = try breakingServer(at: 100_000, validators: ["ETag: \"one\""])
        try await expectContent(of: server, attempts: 2)
        #expect(server.heads.count == 2)
    }

    @Test(arguments: [["ETag: \"one\"", "ETag: \"two\""], ["ETag: W/\"one\""], ["X-None: 1"]])
    func `a file that has or may have changed is downloaded from the start`(validators: [String]) async throws {
        try await expectContent(of: breakingServer(at: 100_000, validators: validators), attempts: 2)
        #expect(try files == ["feed.csv"])
    }

    @Test func `a download starts over if the server ignores the range`() async throws {
        let server = try breakingServer(at: 100_000, validators: ["ETag: \"one\""], ignoresRange: true)
        try await expectContent(of: server, attempts: 2)
    }

    @Test func `a range other than the requested one is not appended`() async throws {
        let server = try breakingServer(at: 100_000, validators: ["ETag: \"one\""], misplaced: true)
        let reports = Mutex<[NetworkReport]>([])
        var session = try session(attempts: 2)
        session.options.observe = { report in reports.withLock { $0.append(report) } }
        try await session.download(NetworkRequest(url: server.url("/")), to: target)
        #expect(try Data(contentsOf: target) == content)
        #expect(server.heads.count == 3)
        let reported = reports.withLock { $0 }
        let report = try #require(reported.last)
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
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 900000\r\n\r\n")
            connection.write(Data(count: 300_000))
            connection.waitForEnd()
        }
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
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n")
            connection.write(Data(count: 100_000))
            connection.waitForEnd()
        }
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
        let server = try breakingServer(at: 100_000, validators: ["ETag: \"one\""])
        await #expect(throws: DownloadError.self) {
            try await session().download(NetworkRequest(url: server.url("/a")), to: target)
        }
        try await session().download(NetworkRequest(url: server.url("/b")), to: target)
        #expect(server.heads.last?.contains("Range:") == false)
    }

    @Test(arguments: ["", "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"])
    func `a download is not continued if the file may have changed in the second of its date`(
        date: String
    ) async throws {
        let validator = date + "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try breakingServer(at: 100_000, validators: [validator])
        try await expectContent(of: server, attempts: 2)
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
