import Foundation

/// Sends requests to a server: URLSession, another HTTP library, or a stub in a test, which needs one method:
///
///     struct Stub: Transport {
///         func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
///             StreamedResponse(NetworkResponse(status: 200, data: Data("{}".utf8)))
///         }
///     }
public protocol Transport: Sendable {
    /// Sends a request once and returns as soon as the head of the response has arrived, for any status.
    ///
    /// A transport follows no redirect and answers no challenge: it returns them like any other response, and
    /// `NetworkSession` decides. It should stop soon after its task is cancelled or the body is released unread,
    /// although `NetworkOperation` does not rely on that. It may ignore the request's timeout, but it must not block
    /// its thread before it first suspends: until then, it runs on the caller's thread. The body to send is in `body`
    /// or in the file of `upload`.
    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse
}

/// The reason why a request received no response. The texts are for logs.
public enum NetworkError: Error, Sendable, Equatable {
    case cancelled
    /// The response was not complete in time. The server may have processed the request.
    case timedOut
    /// No host with that name, or no connection: nothing was sent.
    case unreachable(String)
    /// The connection was lost before the response was complete. The server may have processed the request.
    case connectionLost(String)
    /// The server's certificate or public key is not trusted, or the server does not trust the client: nothing was
    /// sent, or the server did not read it.
    case untrusted(String)
    /// An https request to a server that does not speak TLS on this port: nothing was sent.
    case noTLS(String)
    /// The response to an http request is not HTTP. A server that expects TLS may respond like this, or close the
    /// connection.
    case noHTTP(String)
    /// The URL is not http or https with a host and a valid port: nothing was sent.
    case invalidAddress
    /// This device could not send the request, for example because its file cannot be read: nothing was sent.
    case notSent(String)
    /// The body is longer than allowed. The limit is in bytes.
    case tooLarge(limit: Int)
    /// The server redirected the request more often than allowed.
    case tooManyRedirects
    /// The operation does not accept the response's status.
    case unaccepted(status: Int)
    /// Any other failure of the transport. The server may have processed the request.
    case failed(String)

    /// Whether nothing was sent, so that a write has had no effect and is safe to repeat.
    public var meansNothingWasSent: Bool {
        switch self {
        case .unreachable, .untrusted, .noTLS, .invalidAddress, .notSent: true
        case .cancelled, .timedOut, .connectionLost, .noHTTP, .tooLarge, .tooManyRedirects, .unaccepted, .failed: false
        }
    }
}

extension NetworkRequest {
    /// Checks the URL before a transport sends the request: libraries differ in what they do with an invalid one.
    ///
    /// - Throws: `.invalidAddress` unless the URL is http or https with a host and, if it names one, a port from 1 to
    ///   65,535.
    public func checkAddress() throws(NetworkError) {
        guard let scheme = url.scheme, ["http", "https"].contains(scheme.lowercased()),
            url.host()?.isEmpty == false, (1...65_535).contains(url.port ?? 80)
        else { throw .invalidAddress }
    }

    /// Checks the method and the header fields before a transport sends the request: a library may send the text after
    /// a line break as another field or another request.
    ///
    /// - Throws: `.notSent` for a line break or a NUL in the method or in a header field.
    public func checkHead() throws(NetworkError) {
        let isOneLine = method.isOneLine && headers.fields.allSatisfy { $0.name.isOneLine && $0.value.isOneLine }
        guard isOneLine else {
            throw .notSent("the method or a header field contains a line break")
        }
    }
}

extension String {
    /// Whether the text has neither a line break of HTTP nor a NUL.
    fileprivate var isOneLine: Bool {
        utf8.allSatisfy { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") && $0 != 0 }
    }
}

/// The head of an HTTP response, with a body that may still be arriving.
public struct StreamedResponse: Sendable {
    public let status: Int
    public let headers: HeaderFields
    public let body: NetworkBody

    public init(status: Int, headers: HeaderFields = [:], body: NetworkBody = NetworkBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Wraps a response that is already complete, for stubs.
    public init(_ response: NetworkResponse) {
        self.init(status: response.status, headers: response.headers, body: NetworkBody(response.data))
    }

    /// - Throws: `.tooLarge` as soon as the body exceeds `limit` bytes.
    public func collected(upTo limit: Int = NetworkBody.standardLimit) async throws(NetworkError) -> NetworkResponse {
        NetworkResponse(status: status, headers: headers, data: try await body.collected(upTo: limit))
    }
}

/// The bytes of a response, in pieces as they arrive. They can be read once. Releasing a body unread, or cancelling the
/// task that reads it, ends the exchange with the server.
public struct NetworkBody: AsyncSequence, Sendable {
    /// 64 MiB: the default limit for a body that is collected in memory.
    public static let standardLimit = 64 << 20

    fileprivate enum Source {
        case whole(Data)
        case chunks(@Sendable () async throws(NetworkError) -> Data?)
    }

    private let source: Source

    public init(_ data: Data = Data()) {
        source = .whole(data)
    }

    /// - Parameter next: returns the next piece, which is never empty, or nil at the end. It is called by one task at a
    ///   time, and not again after nil or an error.
    public init(_ next: @escaping @Sendable () async throws(NetworkError) -> Data?) {
        source = .chunks(next)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var source: Source?

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            guard let source else { return nil }
            self.source = nil
            switch source {
            case .whole(let data):
                return data.isEmpty ? nil : data
            case .chunks(let next):
                let chunk = try await next()
                if chunk != nil { self.source = source }
                return chunk
            }
        }
    }

    /// - Throws: `.tooLarge` as soon as there are more than `limit` bytes.
    public func collected(upTo limit: Int = standardLimit) async throws(NetworkError) -> Data {
        try await collected(upTo: limit) { _ in }
    }

    /// - Parameter received: called with the size of each piece.
    func collected(upTo limit: Int, received: (_ count: Int) -> Void) async throws(NetworkError) -> Data {
        var iterator = makeAsyncIterator()
        guard var data = try await iterator.next() else { return Data() }
        received(data.count)
        while data.count <= limit, let chunk = try await iterator.next() {
            received(chunk.count)
            data.append(chunk)
        }
        guard data.count <= limit else { throw .tooLarge(limit: limit) }
        return data
    }
}
