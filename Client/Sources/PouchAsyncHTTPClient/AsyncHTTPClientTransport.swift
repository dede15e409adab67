#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOSSL
    import PouchNetwork

    /// Sends requests through an HTTPClient of its own, on SwiftNIO's shared event loops.
    ///
    /// The server is slowed down to the speed at which a body is read. Bodies that were sent compressed come back
    /// expanded.
    public final class AsyncHTTPClientTransport: Transport {
        private let client: HTTPClient

        /// - Throws: for public keys, which AsyncHTTPClient cannot pin, and for certificates that cannot be read.
        public init(trust: ServerTrust = .system) throws(UnsupportedTrust) {
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            configuration.tlsConfiguration = try TLSConfiguration(trust)
            configuration.decompression = .enabled(limit: .none)
            // Whether to try again is decided above.
            configuration.connectionPool.retryConnectionEstablishment = false
            // So is how many requests run at once.
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }

        deinit {
            // A client that ends without shutdown stops the process; after `shutdown` this does nothing.
            client.shutdown { _ in }
        }

        /// Ends what is under way and closes all connections; later requests fail. Without it that happens when the
        /// transport and its last body are gone.
        public func shutdown() async {
            try? await client.shutdown()
        }

        public func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
            do {
                let response = try await client.execute(HTTPClientRequest(request), deadline: .distantFuture)
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
        fileprivate init(_ request: NetworkRequest) throws {
            self.init(url: request.url.absoluteString)
            method = HTTPMethod(rawValue: request.method)
            for field in request.headers.fields { headers.add(name: field.name, value: field.value) }
            if !headers.contains(name: "Accept-Encoding") {
                headers.add(name: "Accept-Encoding", value: "gzip, deflate")
            }
            if let upload = request.upload {
                let file = try FileChunks(upload)
                body = .stream(file, length: .known(file.size))
            } else if let data = request.body {
                body = .bytes(ByteBuffer(bytes: data))
            }
        }
    }

    extension TLSConfiguration {
        fileprivate init(_ trust: ServerTrust) throws(UnsupportedTrust) {
            self = .makeClientConfiguration()
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
#endif
