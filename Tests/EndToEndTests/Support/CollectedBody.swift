import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Takes a response's body into memory.
final class CollectedBody: ResponseBodyWriter, Sendable {
    private let bytes = Mutex(ByteBuffer())

    var data: Data { bytes.withLock { Data($0.readableBytesView) } }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { bytes in
            var buffer = buffer
            bytes.writeBuffer(&buffer)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
