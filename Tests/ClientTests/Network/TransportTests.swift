import ClientTesting
import Foundation
import Loopback
import PouchNetwork
import PouchTesting
import Synchronization
import Testing

/// The behaviour that all transports share.
@Suite(.timeLimit(.minutes(5)))
struct TransportTests {
    private func get(_ server: LoopbackServer, over kind: SomeTransport) async throws -> NetworkResponse {
        try await kind.make().response(to: NetworkRequest(url: server.url("/")))
    }

    @Test(arguments: SomeTransport.allCases)
    func `method, fields and body arrive, and the server's response is returned`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in
            httpAnswer("201 Created", "ETag: \"7\"", "X-Two: a", "X-Two: b", body: "ok")
        }
        let request = NetworkRequest(
            url: try server.url("/a?b=%2F"), method: "PUT", headers: ["X-One": "1"], body: Data("{}".utf8))
        let response = try await kind.make().response(to: request)
        let head = try #require(server.heads.first)
        #expect(head.hasPrefix("PUT /a?b=%2F HTTP/1.1\r\n"))
        #expect(head.contains("X-One: 1\r\n") && head.lowercased().contains("content-length: 2\r\n"))
        #expect(server.bodies == [Data("{}".utf8)])
        #expect(response.status == 201 && response.data == Data("ok".utf8))
        #expect(response.headers["etag"] == "\"7\"")
        #expect(response.headers.all("x-two").joined(separator: ", ") == "a, b")
    }

    @Test(arguments: SomeTransport.allCases)
    func `the transport does not limit the number of concurrent requests`(kind: SomeTransport) async throws {
        let count = 16
        let awaited = DispatchGroup()
        for _ in 0..<count { awaited.enter() }
        let server = try LoopbackServer { _, connection in
            awaited.leave()
            awaited.wait()
            connection.write(httpAnswer(body: "ok"))
        }
        let (transport, request) = (try kind.make(), NetworkRequest(url: try server.url("/")))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await transport.response(to: request).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.heads.count == count)
    }

    private static let firstChunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n"

    @Test(arguments: SomeTransport.allCases)
    func `pieces of a body are delivered before the rest arrives`(kind: SomeTransport) async throws {
        let (goOn, signal) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _, connection in
            connection.write(Self.firstChunk)
            let gate = DispatchSemaphore(value: 0)
            Task { for await _ in goOn { gate.signal() } }
            gate.wait()
            connection.write("3\r\ntwo\r\n0\r\n\r\n")
        }
        let response = try await kind.make().send(NetworkRequest(url: server.url("/")))
        var pieces = response.body.makeAsyncIterator()
        #expect(try await pieces.next() == Data("one".utf8))
        signal.yield()
        #expect(try await pieces.next() == Data("two".utf8))
        #expect(try await pieces.next() == nil)
        #expect(try await pieces.next() == nil)
        signal.finish()
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `dropping a body ends the exchange`(kind: SomeTransport) async throws {
        let disconnected = Gate()
        let server = try LoopbackServer(beginning: Self.firstChunk, closed: disconnected)
        let transport = try kind.make()
        let status = try await transport.send(NetworkRequest(url: server.url("/"))).status
        #expect(status == 200)
        await disconnected.pass()
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a body above the limit is an error long before it fills the memory`(kind: SomeTransport) async throws {
        let written = Counter()
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n")
            let chunk = Data(repeating: 32, count: 1 << 20)
            // Bounded, because URLSession on Linux keeps reading for a while after the task is cancelled.
            while written.value < 128, connection.write(chunk) { written.increment() }
            connection.waitForEnd()
        }
        let error = try await kind.make().error(of: NetworkRequest(url: server.url("/")), limit: 4 << 20)
        #expect(error?.isTooLarge == true)
        #expect(kind == .urlSession || written.value < 64, "URLSession on Linux reads ahead")
    }

    @Test(arguments: SomeTransport.allCases)
    func `a file is sent unchanged, and its progress is reported to the end`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in httpAnswer("202 Accepted", body: "ok") }
        let bytes = Data(String(repeating: "0123456789", count: 500_000).utf8)
        let folder = try TemporaryFolder()
        let file = folder.file("feed.csv")
        try bytes.write(to: file)
        let progress = Mutex<[(sent: Int64, total: Int64)]>([])
        let upload = FileUpload(file: file) { sent, total in progress.withLock { $0.append((sent, total)) } }
        let request = NetworkRequest(
            url: try server.url("/"), method: "POST", headers: ["Content-Type": "text/csv"], upload: upload,
            timeout: nil)
        #expect(try await kind.make().response(to: request).status == 202)
        #expect(server.bodies == [bytes])
        #expect(server.heads.first?.contains("Content-Type: text/csv\r\n") == true)
        // The server may answer before the client asks for the chunk after the last.
        try await eventually { progress.withLock { $0.last?.sent } == Int64(bytes.count) }
        let reports = progress.withLock { $0 }
        #expect(reports.allSatisfy { $0.total == Int64(bytes.count) })
        #expect(reports.map(\.sent) == reports.map(\.sent).sorted())
    }

    @Test(arguments: SomeTransport.allCases)
    func `a missing file, a folder and a pipe are errors, and nothing is sent`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in nil }
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe")
        // Opening a pipe waits for a writer.
        try #require(mkfifo(pipe.path, 0o600) == 0)
        for file in [URL(filePath: "/nonexistent/feed.csv"), pipe.deletingLastPathComponent(), pipe] {
            await #expect(throws: NetworkError.notSent("the file to be sent cannot be read")) {
                let request = NetworkRequest(url: try server.url("/"), method: "POST", upload: FileUpload(file: file))
                _ = try await kind.make().response(to: request)
            }
        }
        #expect(server.heads.isEmpty)
    }

    @Test func `a reader that fell too far behind gets the error instead of the bytes that had arrived`() async throws {
        let ended = Gate()
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Data("100000\r\n".utf8) + Data(count: 1 << 20) + Data("\r\n".utf8)
            // Bounded, because URLSession on Linux closes a connection late while it has something to read.
            var written = 0
            while written < 256, connection.write(chunk) { written += 1 }
            connection.waitForEnd()
            ended.open()
        }
        let response = try await URLSessionTransport().send(NetworkRequest(url: server.url("/")))
        await ended.pass()
        var pieces = response.body.makeAsyncIterator()
        await #expect(throws: NetworkError.tooLarge(limit: NetworkBody.standardLimit)) { try await pieces.next() }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a redirect is returned unchanged`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in httpAnswer("302 Found", "Location: /there", body: "no") }
        #expect(try await get(server, over: kind).status == 302)
        #expect(server.heads.count == 1)
    }

    @Test(
        arguments: SomeTransport.allCases,
        [#"Basic realm="x""#, #"Digest realm="x", nonce="y", qop="auth""#, "Bearer", "Negotiate"])
    func `a 401 is returned whole for any scheme, not answered`(kind: SomeTransport, challenge: String) async throws {
        let server = try LoopbackServer { _ in
            httpAnswer("401 Unauthorized", "WWW-Authenticate: \(challenge)", body: "no")
        }
        let response = try await get(server, over: kind)
        #expect(response.status == 401 && response.data == Data("no".utf8))
        #expect(response.headers["WWW-Authenticate"] == challenge)
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `cookies are not sent back, and cacheable responses are not cached`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in
            httpAnswer("200 OK", "Set-Cookie: a=b; Path=/", "Cache-Control: max-age=600")
        }
        let transport = try kind.make()
        for _ in 0..<2 { _ = try await transport.response(to: NetworkRequest(url: server.url("/"))) }
        #expect(server.heads.count == 2)
        #expect(!server.heads.joined().lowercased().contains("cookie:"))
    }

    @Test(arguments: SomeTransport.allCases)
    func `a compressed body is expanded`(kind: SomeTransport) async throws {
        // "pouch", compressed with gzip.
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAAC/yvIL03OAAAyizYDBQAAAA=="))
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n")
            connection.write(gzip)
        }
        #expect(try await get(server, over: kind).data == Data("pouch".utf8))
        #expect(server.heads.first?.lowercased().contains("accept-encoding:") == true)
    }

    /// 200,000 zeros, compressed with gzip to less than a thousandth.
    private static let compressedZeros =
        "H4sIAAAAAAAC/+3BMQEAAADCoPVPbQZ/o" + String(repeating: "A", count: 257) + "CA1wB7WOBcQA0DAA=="

    @Test func `AsyncHTTPClient gives up on a body that expands beyond all measure`() async throws {
        let bomb = try #require(Data(base64Encoded: Self.compressedZeros))
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.write(bomb)
        }
        await #expect(throws: NetworkError.self) { try await get(server, over: .asyncHTTPClient) }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a closed port is unreachable, which means that nothing was sent`(kind: SomeTransport) async throws {
        // Port 9 is "discard", an obsolete service.
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        #expect(try await kind.make().error(of: NetworkRequest(url: url))?.isUnreachable == true)
    }

    @Test(
        arguments: SomeTransport.allCases,
        [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", nil,
        ])
    func `a connection that is reset or ends too early is lost`(kind: SomeTransport, reply: String?) async throws {
        let server = try LoopbackServer { _, connection in
            if let reply { connection.write(reply) } else { connection.reset() }
        }
        #expect(try await kind.make().error(of: NetworkRequest(url: server.url("/")))?.isConnectionLost == true)
    }

    @Test(arguments: SomeTransport.allCases)
    func `cancelling ends a request that the server does not answer`(kind: SomeTransport) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            gate.open()
            return nil
        }
        let (transport, url) = (try kind.make(), try server.url("/"))
        let task = Task { try await transport.response(to: NetworkRequest(url: url)) }
        await gate.pass()
        task.cancel()
        await #expect(throws: NetworkError.cancelled) { _ = try await task.value }
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `cancelling ends a body that is being read`(kind: SomeTransport) async throws {
        let (read, disconnected) = (Gate(), Gate())
        let server = try LoopbackServer(beginning: Self.firstChunk, closed: disconnected)
        let (transport, url) = (try kind.make(), try server.url("/"))
        let task = Task { for try await _ in try await transport.send(NetworkRequest(url: url)).body { read.open() } }
        await read.pass()
        task.cancel()
        await #expect(throws: NetworkError.cancelled) { try await task.value }
        await disconnected.pass()
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a cancellation at any moment leaves a complete response or none`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in httpAnswer(body: "ok") }
        let (transport, url) = (try kind.make(), try server.url("/"))
        for round in 0..<100 {
            let operation = NetworkOperation(NetworkRequest(url: url), over: transport)
            async let payload = operation.run()
            for _ in 0..<(round * 20) { await Task.yield() }
            operation.cancel()
            let ended = await payload
            #expect((ended.response?.data == Data("ok".utf8)) != (ended.error == .cancelled))
            #expect(await operation.run().endedAt == ended.endedAt)
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a body read by a cancelled task is complete or fails`(kind: SomeTransport) async throws {
        let size = 1 << 20
        let transport = try kind.make()
        for _ in 0..<20 {
            let served = Gate()
            let server = try LoopbackServer { _, connection in
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<4 {
                    connection.write("40000\r\n")
                    connection.write(Data(count: size / 4))
                    connection.write("\r\n")
                }
                connection.write("0\r\n\r\n")
                served.open()
            }
            let response = try await transport.send(NetworkRequest(url: server.url("/")))
            // The other transports slow the server down until the body is read, so this would wait here forever.
            if kind == .urlSession { await served.pass() }
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await response.body.collected().count
            }
            let count = try? await reading.value
            #expect(count == nil || count == size)
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a line break in the method or a header field does not add another field`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in httpAnswer() }
        let url = try server.url("/")
        for request in [
            NetworkRequest(url: url, headers: ["If-Match": "1\r\nX-Evil: 2"]),
            NetworkRequest(url: url, headers: ["X-Evil: 2\nIf-Match": "1"]),
            NetworkRequest(url: url, method: "GET / HTTP/1.1\r\nX-Evil: 2\r\n\r\nGET"),
        ] {
            await #expect(throws: NetworkError.self) { try await kind.make().response(to: request) }
        }
        #expect(server.heads.isEmpty)
    }
}
