#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import PouchNetwork

    /// Reads the body of an answer, and keeps the transport alive meanwhile.
    ///
    /// Unchecked, since a `NetworkBody` is read by one task at a time, which the compiler cannot see.
    final class BodyChunks: @unchecked Sendable {
        private var iterator: HTTPClientResponse.Body.AsyncIterator
        private let transport: AsyncHTTPClientTransport

        init(_ body: HTTPClientResponse.Body, of transport: AsyncHTTPClientTransport) {
            iterator = body.makeAsyncIterator()
            self.transport = transport
        }

        func next() async throws(NetworkError) -> Data? {
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
#endif
