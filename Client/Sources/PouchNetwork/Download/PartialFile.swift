import Foundation

/// What has arrived of a file so far, beside its target, with what tells whether the rest still fits: the URL, and the
/// validator that the server gave.
actor PartialFile {
    typealias Start = (size: Int64, validator: String)

    private let source: String
    private let target: URL
    private let thread = FileThread()
    private var handle: FileHandle?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(of source: URL, target: URL) {
        self.source = source.absoluteString
        self.target = target
    }

    private var bytes: URL { target.appendingPathExtension("partial") }
    private var validator: URL { target.appendingPathExtension("partial-validator") }

    /// - Returns: nil when there is nothing to go on from.
    func resumable() -> Start? {
        guard let lines = try? String(contentsOf: validator, encoding: .utf8).split(separator: "\n"),
            lines.count == 2, lines[0] == source,
            let size = try? FileManager.default.attributesOfItem(atPath: bytes.path)[.size] as? NSNumber,
            size.int64Value > 0
        else { return nil }
        return (size.int64Value, String(lines[1]))
    }

    /// Empties it for a file that begins anew.
    ///
    /// - Parameter validator: nil for a file that cannot be gone on with.
    func begin(validator text: String?) throws(DownloadError) {
        try stored {
            // The bytes go first: a validator must never stand beside bytes of another file.
            try Data().write(to: bytes)
            if let text {
                try Data("\(source)\n\(text)".utf8).write(to: validator, options: .atomic)
            } else {
                try? FileManager.default.removeItem(at: validator)
            }
            handle = try FileHandle(forWritingTo: bytes)
        }
    }

    /// Goes on behind what is there.
    func resume() throws(DownloadError) {
        try stored {
            handle = try FileHandle(forWritingTo: bytes)
            try handle?.seekToEnd()
        }
    }

    func append(_ data: Data) throws(DownloadError) {
        try stored { try handle?.write(contentsOf: data) }
    }

    /// Puts the whole file into the target's place, in one step.
    func finish() throws(DownloadError) {
        try stored {
            try handle?.synchronize()
            try handle?.close()
            handle = nil
            guard rename(bytes.path, target.path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            try? FileManager.default.removeItem(at: validator)
        }
    }

    private func stored(_ work: () throws -> Void) throws(DownloadError) {
        do {
            try work()
        } catch {
            throw .storage("\(type(of: error)) \((error as NSError).code)")
        }
    }
}
