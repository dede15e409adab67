#if os(Linux)
    import Foundation
    import PouchNetwork
    import Synchronization

    /// The body of a request, which libcurl reads piece by piece. Used by the loop's thread alone.
    final class CurlBody {
        static let unreadableFile = NetworkError.notSent("the file to be sent cannot be read")

        let size: Int64
        private let file: FileAhead?
        private let onProgress: ((Int64, Int64) -> Void)?
        /// The whole body, or the chunk of the file that is being sent, which starts at `chunkStart`.
        private var chunk: Data
        private var chunkStart: Int64 = 0
        private var offset: Int64 = 0
        private var reported: Int64 = 0

        /// - Parameter file: the request's file, if any.
        /// - Returns: nil for a request without a body.
        init?(_ request: NetworkRequest, _ file: FileAhead?) {
            let data =
                file == nil ? request.body ?? (Self.methodsWithBody.contains(request.method) ? Data() : nil) : nil
            guard file != nil || data != nil else { return nil }
            self.file = file
            chunk = data ?? Data()
            size = file?.size ?? Int64(chunk.count)
            onProgress = request.upload?.onProgress
        }

        /// A server expects the length of their bodies, even if it is 0 (RFC 9110, section 8.6).
        private static let methodsWithBody = ["POST", "PUT", "PATCH"]

        var reportsProgress: Bool { onProgress != nil }
        /// Whether libcurl has read a part. It does so only on a connection, and never reads a part again.
        var hasBegun: Bool { offset > 0 }

        // MARK: - Calls from libcurl

        typealias Read = @convention(c) (UnsafeMutableRawPointer?, Int, Int, UnsafeMutableRawPointer?) -> Int
        typealias Progress = @convention(c) (UnsafeMutableRawPointer?, Int64, Int64, Int64, Int64) -> Int32

        static let read: Read = { buffer, size, count, this in
            guard let buffer, let this else { return CurlOption.abort }
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return Unmanaged<CurlBody>.fromOpaque(this).takeUnretainedValue().read(into: room)
        }

        static let progress: Progress = { this, _, _, _, sent in
            if let this { Unmanaged<CurlBody>.fromOpaque(this).takeUnretainedValue().report(sent) }
            return 0
        }

        private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let most = min(buffer.count, Int(size - offset))
            guard most > 0 else { return 0 }
            if !(chunkStart..<chunkStart + Int64(chunk.count)).contains(offset), let file {
                guard let next = file.chunk(at: offset) else { return CurlOption.pause }
                (chunk, chunkStart) = (next, offset)
            }
            // A file that has become shorter cannot be sent with the announced length.
            guard !chunk.isEmpty else { return CurlOption.abort }
            let count = chunk.dropFirst(Int(offset - chunkStart)).prefix(most).copyBytes(to: buffer)
            offset += Int64(count)
            return count
        }

        private func report(_ sent: Int64) {
            guard sent > reported else { return }
            reported = sent
            onProgress?(sent, size)
        }
    }

    /// A file to send. It is read on a separate thread, each chunk while the previous one is being sent, because a slow
    /// disk must not delay the other requests of the loop.
    final class FileAhead: Sendable {
        private struct State {
            /// The offset of the chunk that is being read or waits; nil before the first.
            var offset: Int64?
            /// nil while it is being read. Empty if it cannot be read.
            var chunk: Data?
        }

        let size: Int64
        private let reader = FileReader()
        private let onChunk: @Sendable () -> Void
        private let state = Mutex(State())

        /// - Throws: `CurlBody.unreadableFile`.
        init(_ file: URL, onChunk: @escaping @Sendable () -> Void) async throws(NetworkError) {
            self.onChunk = onChunk
            guard let size = try? await reader.open(file) else { throw CurlBody.unreadableFile }
            self.size = size
        }

        /// Returns a chunk, and starts to read the next one.
        ///
        /// - Returns: nil if it has not been read yet. `onChunk` is called once it has.
        func chunk(at offset: Int64) -> Data? {
            let (chunk, next): (Data?, Int64?) = state.withLock { state in
                guard state.offset == offset else {
                    state = State(offset: offset)
                    return (nil, offset)
                }
                guard let chunk = state.chunk, !chunk.isEmpty else { return (state.chunk, nil) }
                let next = offset + Int64(chunk.count)
                state = State(offset: next)
                return (chunk, next < size ? next : nil)
            }
            if let next { Task { await read(at: next) } }
            return chunk
        }

        private func read(at offset: Int64) async {
            let chunk = (try? await reader.chunk(at: offset)) ?? Data()
            let isAwaited = state.withLock { state in
                guard state.offset == offset, state.chunk == nil else { return false }
                state.chunk = chunk
                return true
            }
            if isAwaited { onChunk() }
        }
    }
#endif
