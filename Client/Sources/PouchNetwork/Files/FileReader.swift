import Foundation

/// Reads a file from its beginning.
package actor FileReader {
    private static let chunkSize = 256 << 10

    private let thread = FileThread()
    private var handle: FileHandle?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    package init() {}

    /// - Returns: the file's size.
    package func open(_ file: URL) throws -> Int64 {
        let handle = try FileHandle(forReadingFrom: file)
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        self.handle = handle
        return Int64(size)
    }

    /// - Returns: nil at the end.
    package func next() throws -> Data? {
        guard let chunk = try handle?.read(upToCount: Self.chunkSize), !chunk.isEmpty else { return nil }
        return chunk
    }
}
