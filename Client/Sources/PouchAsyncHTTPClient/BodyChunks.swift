#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import PouchNetwork
    import Synchronization

    /// Reads the body of an answer, and keeps the transport alive meanwhile.
    ///
    /// Unchecked, since the compiler cannot see that `isReading` lets one task at a time get to the iterator.
    final class BodyChunks: @unchecked Sendable {
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
#endif
