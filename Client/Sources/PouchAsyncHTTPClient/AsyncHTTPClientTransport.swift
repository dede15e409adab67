#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOPosix
    import NIOSSL
    import PouchNetwork
    import Synchronization

    /// A transport over an HTTPClient of its own, on SwiftNIO's shared event loops.
    ///
    /// It limits the server to the speed at which a body is read. Compressed bodies are returned decompressed.
    ///
    ///     let client = try Pouch(server: shop, transport: AsyncHTTPClientTransport())
    public final class AsyncHTTPClientTransport: Transport {
        private let client: HTTPClient

        /// - Throws: for public keys, which AsyncHTTPClient cannot pin, and for unreadable certificates.
        public init(trust: ServerTrust = .system) throws(UnsupportedTrust) {
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            configuration.tlsConfiguration = try TLSConfiguration(trust)
            // JSON shrinks to a tenth or twentieth. Without a limit, one chunk could expand a thousandfold before the
            // size limit of the body applies.
            configuration.decompression = .enabled(limit: .ratio(200))
            // `RetryPolicy` decides whether to repeat a request.
            configuration.connectionPool.retryConnectionEstablishment = false
            // `NetworkQueue` bounds the number of requests.
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
            configuration.http1_1ConnectionDebugInitializer = { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try pipeline.addHandler(StatusCheck(), position: .after(decoder))
                }
            }
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }

        deinit {
            // A client that is released without a shutdown stops the process. A second shutdown has no effect.
            client.shutdown { _ in }
        }

        /// Cancels all requests and closes all connections; later requests fail. Without this call, the connections are
        /// closed when the transport and its last body are released.
        public func shutdown() async {
            try? await client.shutdown()
        }

        public func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
            try request.checkAddress()
            try request.checkHead()
            do {
                let response = try await client.execute(try await HTTPClientRequest(request), deadline: .distantFuture)
                let chunks = BodyChunks(response.body, of: self)
                return StreamedResponse(
                    status: Int(response.status.code),
                    headers: HeaderFields(response.headers.map { .init(name: $0.name, value: $0.value) }),
                    body: NetworkBody { () throws(NetworkError) in try await chunks.next() })
            } catch {
                throw NetworkError(error)
            }
        }
    }

    extension HTTPClientRequest {
        fileprivate init(_ request: NetworkRequest) async throws {
            self.init(url: request.url.absoluteString)
            method = HTTPMethod(rawValue: request.method)
            for field in request.headers.fields { headers.add(name: field.name, value: field.value) }
            if !headers.contains(name: "Accept-Encoding") {
                headers.add(name: "Accept-Encoding", value: "gzip, deflate")
            }
            if let upload = request.upload {
                let file = try await FileChunks(upload)
                body = .stream(file, length: .known(file.size))
            } else if let data = request.body {
                body = .bytes(ByteBuffer(bytes: data))
            }
        }
    }

    extension TLSConfiguration {
        fileprivate init(_ trust: ServerTrust) throws(UnsupportedTrust) {
            self = .makeClientConfiguration()
            minimumTLSVersion = .tlsv12
            switch trust {
            case .system: break
            case .publicKeys: throw UnsupportedTrust("AsyncHTTPClient cannot pin public keys")
            case .certificates(let certificates):
                do {
                    trustRoots = .certificates(
                        try certificates.map { try NIOSSLCertificate(bytes: Array($0), format: .der) })
                } catch {
                    throw UnsupportedTrust("a certificate cannot be read")
                }
            }
        }
    }

    // MARK: - Bodies

    /// Reads the body of a response, and keeps the transport alive while it does. Unchecked, because the compiler
    /// cannot see that `isReading` admits one task at a time to the iterator.
    private final class BodyChunks: @unchecked Sendable {
        private var iterator: HTTPClientResponse.Body.AsyncIterator
        private let transport: AsyncHTTPClientTransport
        private let isReading = Atomic(false)

        init(_ body: HTTPClientResponse.Body, of transport: AsyncHTTPClientTransport) {
            iterator = body.makeAsyncIterator()
            self.transport = transport
        }

        func next() async throws(NetworkError) -> Data? {
            guard !isReading.exchange(true, ordering: .acquiring) else {
                throw .failed("a body can be read by one task at a time")
            }
            defer { isReading.store(false, ordering: .releasing) }
            do {
                while let chunk = try await iterator.next() {
                    if chunk.readableBytes > 0 { return Data(chunk.readableBytesView) }
                }
                return nil
            } catch {
                throw NetworkError(error)
            }
        }
    }

    /// The bytes of a file, read once while they are sent.
    private struct FileChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let size: Int64
        private let reader = FileReader()
        private let onProgress: @Sendable (_ sent: Int64, _ total: Int64) -> Void
        private var sent: Int64 = 0

        /// - Throws: if the file cannot be read.
        init(_ upload: FileUpload) async throws {
            onProgress = upload.onProgress
            size = try await reader.open(upload.file)
        }

        func makeAsyncIterator() -> FileChunks { self }

        /// Returns the next chunk. The client calls it once it has sent the previous chunk, whose progress is reported
        /// then.
        mutating func next() async throws -> ByteBuffer? {
            let chunk = try await reader.next()
            if sent > 0 { onProgress(sent, size) }
            guard let chunk else { return nil }
            sent += Int64(chunk.count)
            return ByteBuffer(bytes: chunk)
        }
    }

    // MARK: - Errors

    extension NetworkError {
        fileprivate init(_ error: any Error) {
            // Types and codes only: descriptions may contain the URL.
            switch error {
            case is CancellationError: self = .cancelled
            case let error as HTTPClientError: self.init(error)
            case is NIOConnectionError: self = .unreachable("no connection")
            case is NIOSSLError: self.init(tls: error)
            case is NIOSSLExtraError: self = .untrusted("NIOSSLExtraError")
            // With TLS 1.3, the server's alert follows the handshake.
            case is BoringSSLError where "\(error)".contains("CERTIFICATE_REQUIRED"):
                self = .untrusted("BoringSSLError")
            case is BoringSSLError: self = .connectionLost("BoringSSLError")
            case let error as IOError where error.errnoCode == ECONNREFUSED: self = .unreachable("ECONNREFUSED")
            case let error as IOError: self = .connectionLost("errno \(error.errnoCode)")
            case is ChannelError: self = .connectionLost("ChannelError")
            case HTTPParserError.invalidEOFState: self = .connectionLost("HTTPParserError.invalidEOFState")
            // The first bytes are not those of a status line.
            case HTTPParserError.invalidConstant: self = .noHTTP("HTTPParserError.invalidConstant")
            case is HTTPParserError: self = .failed("\(error)")
            case is CocoaError: self = .notSent("the file to be sent cannot be read")
            default: self = .failed("\(type(of: error))")
            }
        }

        private init(_ error: HTTPClientError) {
            let text = "HTTPClientError.\(error.shortDescription)"
            switch error {
            case .cancelled, .requestStreamCancelled: self = .cancelled
            case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timedOut
            case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .invalidProxyResponse,
                .proxyAuthenticationRequired, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
                self = .unreachable(text)
            case .remoteConnectionClosed: self = .connectionLost(text)
            default: self = .failed(text)
            }
        }

        private init(tls error: any Error) {
            switch error {
            case NIOSSLError.uncleanShutdown: self = .connectionLost("NIOSSLError.uncleanShutdown")
            case NIOSSLError.handshakeFailed(let cause) where Self.isPlain(cause): self = .noTLS("NIOSSLError")
            default: self = .untrusted("NIOSSLError")
            }
        }

        /// Only BoringSSL's text tells a server without TLS from one whose certificate is refused.
        private static func isPlain(_ cause: BoringSSLError) -> Bool {
            ["WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST"].contains { "\(cause)".contains($0) }
        }
    }

    /// Closes the connection to a server whose answer has a status below 100. AsyncHTTPClient mistakes such a head for
    /// an interim one, and ends the process at the end of the response.
    private final class StatusCheck: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart

        private var isRefused = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
                isRefused = true
                context.fireErrorCaught(HTTPParserError.invalidStatus)
                context.close(promise: nil)
            }
            if !isRefused { context.fireChannelRead(data) }
        }
    }
#endif
