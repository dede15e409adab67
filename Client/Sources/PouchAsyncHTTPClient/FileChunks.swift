#if AsyncHTTPClient
    import Foundation
    import NIOCore
    import PouchNetwork

    /// A file's bytes, read while they are sent, each chunk off the cooperative pool.
    struct FileChunks: AsyncSequence, Sendable {
        static let chunkSize = 256 << 10

        let size: Int64
        private let upload: FileUpload

        /// - Throws: when the file cannot be read.
        init(_ upload: FileUpload) throws {
            self.upload = upload
            let handle = try FileHandle(forReadingFrom: upload.file)
            size = Int64(try handle.seekToEnd())
            try handle.close()
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(upload: upload, size: size)
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            let upload: FileUpload
            let size: Int64
            private var handle: FileHandle?
            private var sent: Int64 = 0

            init(upload: FileUpload, size: Int64) {
                self.upload = upload
                self.size = size
            }

            /// Asked for the next chunk once the last was taken, which is what progress tells.
            mutating func next() async throws -> ByteBuffer? {
                let (file, open) = (upload.file, handle)
                let (handle, chunk) = try await withCheckedThrowingContinuation { continuation in
                    DispatchQueue.global().async {
                        continuation.resume(
                            with: Result {
                                let handle = try open ?? FileHandle(forReadingFrom: file)
                                return (handle, try handle.read(upToCount: FileChunks.chunkSize))
                            })
                    }
                }
                self.handle = handle
                if sent > 0 { upload.onProgress(sent, size) }
                guard let chunk, !chunk.isEmpty else { return nil }
                sent += Int64(chunk.count)
                return ByteBuffer(bytes: chunk)
            }
        }
    }
#endif
