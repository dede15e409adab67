import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerTesting
import Synchronization

/// Sends requests to a server.
struct Transport: Sendable {
    private let send: @Sendable (HTTPRequest.Method, String, HTTPFields, Data?) async throws -> RawAnswer

    func callAsFunction(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: Data?
    ) async throws -> RawAnswer { try await send(method, uri, headers, body) }

    /// Sends to a server within this process.
    static func client(_ client: any TestClientProtocol) -> Transport {
        Transport { method, uri, headers, body in
            let response = try await client.executeRequest(
                uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) })
            return RawAnswer(
                status: response.status.code, headers: response.headers, body: Data(response.body.readableBytesView))
        }
    }

    /// Replaces the default of 15 s, which is too short for a busy machine. The tests have their own limits.
    private static let timeLimits = TestClient.Configuration(timeout: .seconds(240))

    /// Sends to a port of this machine, over a new connection for each request.
    static func tcp(port: Int) -> Transport {
        Transport { method, uri, headers, body in
            try await TestClient.withClient(host: "127.0.0.1", port: port, configuration: timeLimits) { client in
                try await client.answer(method, uri, headers, body)
            }
        }
    }

    /// Sends to ports of this machine, over connections that stay open. Requests take the connections in turn, and none
    /// waits for the response to another before it is sent.
    static func connections(
        _ count: Int, ports: [Int], _ body: @Sendable (Transport) async throws -> Void
    ) async throws {
        let clients = (0..<count).map {
            TestClient(host: "127.0.0.1", port: ports[$0 % ports.count], configuration: timeLimits)
        }
        for client in clients { client.connect() }
        let turn = Turn()
        try await withCleanup({ for client in clients { try await client.shutdown() } }) {
            try await body(
                Transport { method, uri, headers, body in
                    try await clients[turn.next() % count].answer(method, uri, headers, body)
                })
        }
    }
}

extension TestClient {
    fileprivate func answer(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: Data?
    ) async throws -> RawAnswer {
        let response = try await execute(
            Request(
                uri, method: method, authority: "127.0.0.1", headers: headers,
                body: body.map { ByteBuffer(bytes: $0) }))
        return RawAnswer(
            status: response.status.code, headers: response.headers,
            body: Data(response.body?.readableBytesView ?? ByteBufferView()))
    }
}

private final class Turn: Sendable {
    private let number = Atomic(0)

    func next() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// An unchecked response.
struct RawAnswer: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: Data
}

/// A TCP connection to a port of this machine, for requests that no client would send.
struct RawConnection: Sendable {
    private let descriptor: FileHandle

    /// - Parameters:
    ///   - client: the client's address; Linux has all of 127.0.0.0/8.
    ///   - receiveBuffer: approximate size of the receive buffer in bytes; nil for the system's default.
    init(port: Int, from client: String? = nil, receiveBuffer: CInt? = nil) throws {
        let number = try Self.open()
        descriptor = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        if var receiveBuffer {
            let size = socklen_t(MemoryLayout<CInt>.size)
            guard setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size) == 0 else {
                throw POSIXError(.EINVAL)
            }
        }
        if let client {
            guard Self.with(client, port: 0, { bind(number, $0, $1) }) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        }
        let outcome = Self.with("127.0.0.1", port: port) { connect(number, $0, $1) }
        guard outcome == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    private static func open() throws -> CInt {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { throw POSIXError(.ENFILE) }
        return number
    }

    private static let ports = Mutex((10_000..<15_000).shuffled())

    /// A port of this machine that no program uses at the moment, and that no other test gets. It is below those that the
    /// system gives to connections, so that none of them takes it before the test does.
    static func freePort() throws -> Int {
        while let port = ports.withLock({ $0.popLast() }) {
            let number = try open()
            defer { _ = Foundation.close(number) }
            if Self.with("127.0.0.1", port: port, { bind(number, $0, $1) }) == 0 { return port }
        }
        throw POSIXError(.EADDRNOTAVAIL)
    }

    private static func with(_ host: String, port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// Runs blocking work on a thread of its own. Concurrent queues share their threads with tasks, and get one more each
    /// second: if a few connections waited there, all servers and tests of this process would.
    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    /// Sends a text that fits into the buffers of the system, so that it does not block.
    func send(_ text: String) throws { try descriptor.write(contentsOf: Data(text.utf8)) }

    /// Sends the piece again and again until the server closes the connection.
    ///
    /// - Returns: the number of bytes sent, at most one piece above the limit.
    func send(_ piece: String, upTo limit: Int) async -> Int {
        await blocking {
            var sent = 0
            while sent < limit, (try? send(piece)) != nil { sent += piece.utf8.count }
            return sent
        }
    }

    /// The first bytes that arrive; empty once the server has closed the connection.
    func receive() async -> String {
        await blocking { [descriptor] in
            // FileHandle would end the process where the server resets the connection, which is a way to close it.
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = read(descriptor.fileDescriptor, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    /// Whether something arrives, or the server closes, within some milliseconds.
    func hasAnswer(within milliseconds: CInt) async -> Bool { await hasEvent(CShort(POLLIN), within: milliseconds) }

    /// Whether the server closes the connection within some seconds, found without reading.
    func isReset(within seconds: CInt) async -> Bool { await hasEvent(0, within: seconds * 1_000) }

    private func hasEvent(_ events: CShort, within milliseconds: CInt) async -> Bool {
        await blocking { [descriptor] in
            var state = pollfd(fd: descriptor.fileDescriptor, events: events, revents: 0)
            return poll(&state, 1, milliseconds) > 0
        }
    }

    /// Closes the sending side of the connection; the client can still read.
    func finish() { shutdown(descriptor.fileDescriptor, CInt(SHUT_WR)) }

    func close() throws { try descriptor.close() }
}
