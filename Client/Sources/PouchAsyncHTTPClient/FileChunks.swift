#if AsyncHTTPClient
    import Foundation
    import NIOCore
    import PouchNetwork

    /// A file's bytes, read while they are sent, once.
    struct FileChunks: AsyncSequence, Sendable {
        let size: Int64
        private let reader = FileReader()
        private let onProgress: @Sendable (_ sent: Int64, _ total: Int64) -> Void

        /// - Throws: when the file cannot be read.
        init(_ upload: FileUpload) async throws {
            onProgress = upload.onProgress
            size = try await reader.open(upload.file)
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: reader, size: size, onProgress: onProgress)
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            let reader: FileReader
            let size: Int64
            let onProgress: @Sendable (_ sent: Int64, _ total: Int64) -> Void
            private var sent: Int64 = 0

            init(
                reader: FileReader, size: Int64, onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void
            ) {
                self.reader = reader
                self.size = size
                self.onProgress = onProgress
            }

            /// Asked for the next chunk once the last was taken, which is what progress tells.
            mutating func next() async throws -> ByteBuffer? {
                let chunk = try await reader.next()
                if sent > 0 { onProgress(sent, size) }
                guard let chunk else { return nil }
                sent += Int64(chunk.count)
                return ByteBuffer(bytes: chunk)
            }
        }
    }
#endif
