import Foundation
import Synchronization

/// A server on 127.0.0.1 that reads one request from each connection and answers with a closure. It accepts connections
/// until it is deallocated.
public final class LoopbackServer: Sendable {
    fileprivate final class Log: Sendable {
        let heads = Mutex<[String]>([])
        let bodies = Mutex<[Data]>([])
    }

    /// A connection after its request was read, on its own thread.
    public struct Connection: Sendable {
        #if canImport(Glibc)
            /// Without this flag a SIGPIPE would end the process.
            private static let withoutSignal = Int32(MSG_NOSIGNAL)
        #else
            private static let withoutSignal: Int32 = 0
        #endif

        fileprivate let descriptor: Int32
        fileprivate let log: Log

        /// - Returns: false once the client has closed the connection.
        @discardableResult
        public func write(_ data: Data) -> Bool {
            data.withUnsafeBytes { bytes in
                var rest = bytes
                while !rest.isEmpty {
                    let sent = send(descriptor, rest.baseAddress, rest.count, Self.withoutSignal)
                    guard sent > 0 else { return false }
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(sent))
                }
                return true
            }
        }

        @discardableResult
        public func write(_ text: String) -> Bool {
            write(Data(text.utf8))
        }

        /// Waits until the client closes the connection.
        public func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        /// Reads another request.
        ///
        /// - Returns: its head; nil once the client has closed the connection.
        public func nextRequest() -> String? {
            LoopbackServer.read(from: descriptor, log)
        }

        /// Closes the connection now.
        public func shutDown() {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }

        /// Makes the connection end with a reset instead of a close.
        public func reset() {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
    }

    public let port: Int
    private let listener: Int32
    private let log = Log()

    /// - Parameter serve: receives the head of the request. The connection is closed when it returns.
    public init(serving serve: @escaping @Sendable (_ head: String, _ connection: Connection) -> Void) throws {
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [log] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    // Not in deinit, since another server could get the same descriptor while this thread uses it.
                    close(listener)
                    return
                }
                Thread.detachNewThread {
                    let connection = Connection(descriptor: descriptor, log: log)
                    if let head = Self.read(from: descriptor, log) { serve(head, connection) }
                    close(descriptor)
                }
            }
        }
    }

    /// - Parameter answer: receives the head of the request. nil leaves the connection open without an answer.
    public convenience init(_ answer: @escaping @Sendable (_ head: String) -> String?) throws {
        try self.init { head, connection in
            if let reply = answer(head) { connection.write(reply) } else { connection.waitForEnd() }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The heads of the requests so far.
    public var heads: [String] { log.heads.withLock { $0 } }

    /// The bodies of the requests with a `Content-Length`.
    public var bodies: [Data] { log.bodies.withLock { $0 } }

    public func url(_ path: String, host: String = "127.0.0.1") throws -> URL {
        guard let url = URL(string: "http://\(host):\(port)\(path)") else { throw POSIXError(.EINVAL) }
        return url
    }

    fileprivate static func read(from connection: Int32, _ log: Log) -> String? {
        var head = Data()
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        log.heads.withLock { $0.append(text) }
        if let length = contentLength(text) {
            if text.lowercased().contains("expect: 100-continue") {
                Connection(descriptor: connection, log: log).write("HTTP/1.1 100 Continue\r\n\r\n")
            }
            let body = read(length, from: connection)
            log.bodies.withLock { $0.append(body) }
        }
        return text
    }

    private static func contentLength(_ head: String) -> Int? {
        head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    }

    private static func read(_ count: Int, from connection: Int32) -> Data {
        var body = Data()
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while body.count < count {
            let received = recv(connection, &chunk, min(chunk.count, count - body.count), 0)
            guard received > 0 else { break }
            body.append(contentsOf: chunk[..<received])
        }
        return body
    }
}
