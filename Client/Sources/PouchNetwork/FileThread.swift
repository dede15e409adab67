import Dispatch
import Foundation

/// An executor for actors that work with files: it runs their jobs in order on a queue of its own, because blocking
/// calls must not run on the cooperative pool. A custom store or transport uses it like this:
///
///     actor Journal {
///         private let thread = FileThread()
///         nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
///     }
public final class FileThread: SerialExecutor {
    private let queue = DispatchQueue(label: "pouch.files")

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Reads a file from its start in chunks, for a transport that uploads it.
public actor FileReader {
    private static let chunkSize = 256 << 10

    private let thread = FileThread()
    private var handle: FileHandle?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    public init() {}

    /// Opens the file, which `next` then reads.
    ///
    /// - Returns: the file's size in bytes.
    /// - Throws: for a file that cannot be read, and for a folder, a pipe or a device.
    public func open(_ file: URL) throws -> Int64 {
        let (handle, size) = try FileHandle.openRegular(file)
        self.handle = handle
        return size
    }

    /// The next chunk, of at most 256 KiB; nil at the end of the file, and before `open`.
    public func next() throws -> Data? {
        guard let chunk = try handle?.read(upToCount: Self.chunkSize), !chunk.isEmpty else { return nil }
        return chunk
    }

    /// The chunk at an offset, of at most 256 KiB; nil at the end of the file.
    package func chunk(at offset: Int64) throws -> Data? {
        try handle?.seek(toOffset: UInt64(offset))
        return try next()
    }
}

extension FileHandle {
    fileprivate static func openRegular(_ file: URL) throws -> (FileHandle, size: Int64) {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let descriptor = file.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) } ?? -1
        }
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw CocoaError(.fileReadNoSuchFile)
            case EACCES, EPERM: throw CocoaError(.fileReadNoPermission)
            default: throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw CocoaError(.fileReadUnknown)
        }
        return (handle, Int64(facts.st_size))
    }
}
