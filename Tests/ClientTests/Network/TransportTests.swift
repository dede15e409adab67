import Foundation
import PouchNetwork
import Synchronization
import Testing

/// What every transport does alike.
@Suite(.timeLimit(.minutes(1)))
struct TransportTests {
    @Test(arguments: SomeTransport.allCases)
    func `method, header fields and body arrive, and what the server answers comes back`(
        kind: SomeTransport
    ) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 201 Created\r\nETag: \"7\"\r\nX-Two: a\r\nX-Two: b\r\nContent-Length: 2\r\n\r\nok"
        }
        let response = try await kind.make().response(
            to: NetworkRequest(
                url: server.url("/a?b=%2F"), method: "PUT", headers: ["X-One": "1"], body: Data("{}".utf8)))
        let head = try #require(server.heads.first)
        #expect(head.hasPrefix("PUT /a?b=%2F HTTP/1.1\r\n"))
        #expect(head.contains("X-One: 1\r\n"))
        #expect(head.lowercased().contains("content-length: 2\r\n"))
        #expect(server.bodies == [Data("{}".utf8)])
        #expect(response.status == 201)
        #expect(response.headers["etag"] == "\"7\"")
        #expect(response.headers.all("x-two").joined(separator: ", ") == "a, b")
        #expect(response.data == Data("ok".utf8))
    }

    @Test(arguments: SomeTransport.allCases)
    func `how many requests are under way at once is decided by who asks`(kind: SomeTransport) async throws {
        let count = 16
        let awaited = DispatchGroup()
        for _ in 0..<count { awaited.enter() }
        let server = try LoopbackServer { _, connection in
            awaited.leave()
            awaited.wait()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
        let (transport, request) = (try kind.make(), NetworkRequest(url: try server.url("/")))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await transport.response(to: request).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.heads.count == count)
    }

    @Test(arguments: SomeTransport.allCases)
    func `pieces of a body are handed over while the rest is still to come`(kind: SomeTransport) async throws {
        let (goOn, signal) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            let gate = DispatchSemaphore(value: 0)
            Task {
                for await _ in goOn { gate.signal() }
            }
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
    func `a body that nobody reads any more ends the exchange`(kind: SomeTransport) async throws {
        let gone = Gate()
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            connection.waitForEnd()
            gone.open()
        }
        let transport = try kind.make()
        let status = try await transport.send(NetworkRequest(url: server.url("/"))).status
        #expect(status == 200)
        await gone.pass()
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `more bytes than allowed are an error long before they fill the memory`(kind: SomeTransport) async throws {
        let written = Counter()
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n")
            let chunk = Data(repeating: 32, count: 1 << 20)
            // No more: URLSession on Linux reads on until it hears that nobody takes it, which may be late.
            while written.value < 128, connection.write(chunk) { written.increment() }
            connection.waitForEnd()
        }
        // URLSession on Linux may have read more than that before anybody was asked.
        await #expect {
            _ = try await kind.make().response(to: NetworkRequest(url: server.url("/")), limit: 4 << 20)
        } throws: { error in
            if case .tooLarge = error as? NetworkError { true } else { false }
        }
        #expect(kind == .urlSession || written.value < 64)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a file is sent as it is, and its progress is told to the end`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok" }
        let bytes = Data(String(repeating: "0123456789", count: 500_000).utf8)
        let file = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let progress = Mutex<[(sent: Int64, total: Int64)]>([])
        let upload = FileUpload(file: file) { sent, total in progress.withLock { $0.append((sent, total)) } }
        let response = try await kind.make().response(
            to: NetworkRequest(
                url: server.url("/"), method: "POST", headers: ["Content-Type": "text/csv"], upload: upload,
                timeout: nil))
        #expect(response.status == 202)
        #expect(server.bodies == [bytes])
        #expect(server.heads.first?.contains("Content-Type: text/csv\r\n") == true)
        let told = progress.withLock { $0 }
        #expect(told.last?.sent == Int64(bytes.count))
        #expect(told.allSatisfy { $0.total == Int64(bytes.count) })
        #expect(told.map(\.sent) == told.map(\.sent).sorted())
    }

    @Test(arguments: SomeTransport.allCases)
    func `a file that is not there is an error, and nothing is sent`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in nil }
        let upload = FileUpload(file: URL(filePath: "/nonexistent/feed.csv"))
        await #expect(throws: NetworkError.failed("the file to be sent cannot be read")) {
            try await kind.make().response(
                to: NetworkRequest(url: server.url("/"), method: "POST", upload: upload))
        }
        #expect(server.heads.isEmpty)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a redirect comes back as it is`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
        }
        let response = try await kind.make().response(to: NetworkRequest(url: server.url("/")))
        #expect(response.status == 302)
        #expect(server.heads.count == 1)
    }

    @Test(
        arguments: SomeTransport.allCases,
        [#"Basic realm="x""#, #"Digest realm="x", nonce="y", qop="auth""#, "Bearer", "Negotiate"])
    func `a 401 comes back whole, whatever it asks for and although nobody answers it`(
        kind: SomeTransport, challenge: String
    ) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno"
        }
        let response = try await kind.make().response(to: NetworkRequest(url: server.url("/")))
        #expect(response.status == 401)
        #expect(response.headers["WWW-Authenticate"] == challenge)
        #expect(response.data == Data("no".utf8))
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `cookies are not sent back, and what may be cached is asked for again`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nCache-Control: max-age=600\r\nContent-Length: 0\r\n"
                + "Connection: close\r\n\r\n"
        }
        let transport = try kind.make()
        for _ in 0..<2 { _ = try await transport.response(to: NetworkRequest(url: server.url("/"))) }
        #expect(server.heads.count == 2)
        #expect(!server.heads.joined().lowercased().contains("cookie:"))
    }

    @Test(arguments: SomeTransport.allCases)
    func `a compressed body is expanded`(kind: SomeTransport) async throws {
        // "pouch" by gzip.
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAAC/yvIL03OAAAyizYDBQAAAA=="))
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n")
            connection.write(gzip)
        }
        let response = try await kind.make().response(to: NetworkRequest(url: server.url("/")))
        #expect(response.data == Data("pouch".utf8))
        #expect(server.heads.first?.lowercased().contains("accept-encoding:") == true)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a port where nobody listens is unreachable, so that nothing was sent`(kind: SomeTransport) async throws {
        // Port 9 is "discard", which nothing offers any more.
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        await #expect {
            _ = try await kind.make().response(to: NetworkRequest(url: url))
        } throws: { error in
            if case .unreachable = error as? NetworkError { true } else { false }
        }
    }

    @Test(
        arguments: SomeTransport.allCases,
        [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        ])
    func `a connection that ends before the answer is complete was lost`(
        kind: SomeTransport, reply: String
    ) async throws {
        let server = try LoopbackServer { _ in reply }
        await #expect {
            _ = try await kind.make().response(to: NetworkRequest(url: server.url("/")))
        } throws: { error in
            if case .connectionLost = error as? NetworkError { true } else { false }
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a connection that is reset was lost`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _, connection in connection.reset() }
        await #expect {
            _ = try await kind.make().response(to: NetworkRequest(url: server.url("/")))
        } throws: { error in
            if case .connectionLost = error as? NetworkError { true } else { false }
        }
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
    func `cancelling ends a body in its midst`(kind: SomeTransport) async throws {
        let (read, gone) = (Gate(), Gate())
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            connection.waitForEnd()
            gone.open()
        }
        let (transport, url) = (try kind.make(), try server.url("/"))
        let task = Task {
            for try await _ in try await transport.send(NetworkRequest(url: url)).body { read.open() }
        }
        await read.pass()
        task.cancel()
        await #expect(throws: NetworkError.cancelled) { try await task.value }
        await gone.pass()
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `wherever a cancellation falls, an operation ends once and in full`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok" }
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
    func `a body that is read by a cancelled task is never taken for whole`(kind: SomeTransport) async throws {
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
            // Not before, where the transport slows the server down until somebody reads.
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
    func `a line break within a header field adds none of its own`(kind: SomeTransport) async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        let request = NetworkRequest(url: try server.url("/"), headers: ["If-Match": "1\r\nX-Evil: 2"])
        await #expect(throws: NetworkError.self) { try await kind.make().response(to: request) }
        #expect(server.heads.isEmpty)
    }

}
