import Dispatch
import Foundation

/// An executor for actors that work with files: it runs their jobs in order on a queue of its own, because blocking
/// calls must not run on the cooperative pool.
package final class FileThread: SerialExecutor {
    private let queue = DispatchQueue(label: "pouch.files")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Reads a file from its start, in chunks.
package actor FileReader {
    private static let chunkSize = 256 << 10

    private let thread = FileThread()
    private var handle: FileHandle?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    package init() {}

    /// - Returns: the file's size in bytes.
    package func open(_ file: URL) throws -> Int64 {
        let handle = try FileHandle(forReadingFrom: file)
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        self.handle = handle
        return Int64(size)
    }

    package func next() throws -> Data? {
        guard let chunk = try handle?.read(upToCount: Self.chunkSize), !chunk.isEmpty else { return nil }
        return chunk
    }
}
