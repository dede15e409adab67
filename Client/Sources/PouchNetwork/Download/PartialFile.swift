import Foundation

/// What has arrived of a file so far, beside its target, with the validator that tells whether the rest still fits.
struct PartialFile: Sendable {
    let target: URL

    private var bytes: URL { target.appendingPathExtension("partial") }
    private var validator: URL { target.appendingPathExtension("partial-validator") }

    /// - Returns: nil when there is nothing to go on from.
    func resumable() async throws(DownloadError) -> (size: Int64, validator: String)? {
        try await offThePool {
            guard let text = try? String(contentsOf: validator, encoding: .utf8), !text.isEmpty,
                let size = try? FileManager.default.attributesOfItem(atPath: bytes.path)[.size] as? NSNumber,
                size.int64Value > 0
            else { return nil }
            return (size.int64Value, text)
        }
    }

    /// Empties it for a file that begins anew.
    ///
    /// - Parameter validator: nil for a file that cannot be gone on with.
    func begin(validator text: String?) async throws(DownloadError) -> FileHandle {
        try await offThePool {
            // The bytes go first: a validator must never stand beside bytes of another file.
            try Data().write(to: bytes)
            if let text {
                try Data(text.utf8).write(to: validator, options: .atomic)
            } else {
                try? FileManager.default.removeItem(at: validator)
            }
            return try FileHandle(forWritingTo: bytes)
        }
    }

    func resume() async throws(DownloadError) -> FileHandle {
        try await offThePool {
            let handle = try FileHandle(forWritingTo: bytes)
            try handle.seekToEnd()
            return handle
        }
    }

    func append(_ data: Data, to handle: FileHandle) async throws(DownloadError) {
        try await offThePool { try handle.write(contentsOf: data) }
    }

    /// Puts the whole file into the target's place, in one step.
    func finish(_ handle: FileHandle?) async throws(DownloadError) {
        try await offThePool {
            try handle?.synchronize()
            try handle?.close()
            guard rename(bytes.path, target.path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            try? FileManager.default.removeItem(at: validator)
        }
    }

    func discard() async throws(DownloadError) {
        try await offThePool {
            try? FileManager.default.removeItem(at: bytes)
            try? FileManager.default.removeItem(at: validator)
        }
    }

    /// Files block, and the cooperative pool must not.
    private func offThePool<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(DownloadError) -> Value {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { try work() })
            }
        }
        do {
            return try result.get()
        } catch {
            throw .storage("\(type(of: error)) \((error as NSError).code)")
        }
    }
}
