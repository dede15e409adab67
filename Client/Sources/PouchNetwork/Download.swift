import Foundation

/// The reason why a file was not downloaded. The bytes received so far remain next to the target, for a later call.
public enum DownloadError: Error, Sendable, Equatable {
    case network(NetworkError)
    /// The server responded without the file; the body is truncated at 64 KiB.
    case refused(NetworkResponse)
    /// The file could not be written. The text is for logs.
    case storage(String)
}

extension NetworkSession {
    private static let longestRefusal = 64 << 10

    /// Downloads a file. It is created complete or not at all, and replaces an earlier file in one step.
    ///
    /// An interrupted download is resumed, in this call and in a later one. The retry policy limits the consecutive
    /// attempts that receive nothing; its `deadline` does not apply. Only the rest is requested if the file has a
    /// strong `ETag` or a `Last-Modified` and has not changed, otherwise the whole file. Until the download is
    /// complete, the bytes are in a file next to the target. A target may have only one download at a time.
    ///
    /// - Parameters:
    ///   - request: its timeout limits the head and each piece, not the whole download.
    ///   - target: a file in an existing folder.
    ///   - onProgress: called with the bytes received so far and the file's size, if the server states it.
    /// - Returns: the header fields of the response with the last bytes.
    @discardableResult
    public func download(
        _ request: NetworkRequest, to target: URL,
        onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) async throws(DownloadError) -> HeaderFields {
        let record = StreamRecord(request, in: self, isSingle: false)
        do {
            let headers = try await continued(
                request, into: PartialFile(of: request.url, target: target), record, onProgress)
            record?.end(nil)
            return headers
        } catch {
            record?.end(error.networkError)
            throw error
        }
    }

    private func continued(
        _ request: NetworkRequest, into partial: PartialFile, _ record: StreamRecord?,
        _ onProgress: @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(DownloadError) -> HeaderFields {
        var failures = 0
        var reached: Int64 = 0
        while true {
            do throws(DownloadError) {
                return try await load(request, from: await partial.resumable(), into: partial, record, onProgress)
            } catch {
                let size = await partial.resumable()?.size ?? 0
                failures = size > reached ? 1 : failures + 1
                reached = max(reached, size)
                guard let outcome = error.outcome,
                    let pause = options.retries.pause(after: outcome, of: request, failures: failures, now: now())
                else { throw error }
                guard (try? await clock.sleep(for: pause)) != nil else { throw .network(.cancelled) }
            }
        }
    }

    private func load(
        _ original: NetworkRequest, from start: PartialFile.Start?, into partial: PartialFile, _ record: StreamRecord?,
        _ onProgress: @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(DownloadError) -> HeaderFields {
        var request = original
        // A range counts the bytes as sent, so they must be those of the file rather than of a compressed body.
        request.headers["Accept-Encoding"] = "identity"
        if let start {
            request.headers["Range"] = "bytes=\(start.size)-"
            request.headers["If-Range"] = start.validator
        }
        let response = try await networking { () throws(NetworkError) in try await stream(request, record) }
        let range = response.headers["Content-Range"].flatMap(ContentRange.init)
        switch (response.status, start) {
        case (200, _):
            let total = response.headers["Content-Length"].flatMap { Int64($0) }
            try await partial.restart(validator: response.headers.validator)
            return try await store(response, in: partial, from: 0, total: total, onProgress)
        case (206, let start?):
            guard range?.bytes?.lowerBound == start.size,
                response.headers.validator ?? start.validator == start.validator
            else { return try await load(original, from: nil, into: partial, record, onProgress) }
            try await partial.resume()
            return try await store(response, in: partial, from: start.size, total: range?.total, onProgress)
        case (416, let start?):
            // If the size matches, the file is unchanged (otherwise the server would have sent all of it) and complete.
            guard range?.total == start.size else {
                return try await load(original, from: nil, into: partial, record, onProgress)
            }
            try await partial.finish()
            return response.headers
        default:
            let data = (try? await response.body.collected(upTo: Self.longestRefusal)) ?? Data()
            throw .refused(NetworkResponse(status: response.status, headers: response.headers, data: data))
        }
    }

    private func store(
        _ response: StreamedResponse, in partial: PartialFile, from start: Int64, total: Int64?,
        _ onProgress: @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(DownloadError) -> HeaderFields {
        var size = start
        var pieces = response.body.makeAsyncIterator()
        while let piece = try await networking({ () throws(NetworkError) in try await pieces.next() }) {
            try await partial.append(piece)
            size += Int64(piece.count)
            onProgress(size, total)
        }
        guard total == nil || size == total else { throw .network(.connectionLost("the file is incomplete")) }
        try await partial.finish()
        return response.headers
    }

    private func networking<Value>(
        _ work: () async throws(NetworkError) -> Value
    ) async throws(DownloadError) -> Value {
        do {
            return try await work()
        } catch {
            throw .network(error)
        }
    }
}

extension HeaderFields {
    /// A value for `If-Range` (RFC 9110, section 13.1.5): a strong ETag, otherwise a strong date.
    fileprivate var validator: String? {
        if let etag = self["ETag"], etag.hasPrefix("\"") { return etag }
        // A file may change twice in a second; only a date in an earlier second identifies its bytes.
        guard let changed = self["Last-Modified"], let sent = self["Date"], sent != changed else { return nil }
        return changed
    }
}

extension DownloadError {
    /// nil for a response with another status.
    fileprivate var networkError: NetworkError? {
        switch self {
        case .network(let error): error
        case .refused: nil
        case .storage: .failed("the file cannot be written")
        }
    }

    /// nil if no retry can help.
    fileprivate var outcome: Result<NetworkResponse, NetworkError>? {
        switch self {
        case .network(let error): .failure(error)
        case .refused(let response): .success(response)
        case .storage: nil
        }
    }
}

// MARK: - The file on disk

/// The bytes received so far, in a file next to the target. A second file holds the URL and the server's validator,
/// which show whether the rest still belongs to these bytes.
private actor PartialFile {
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

    /// nil if there is nothing to continue from.
    func resumable() -> Start? {
        guard let lines = try? String(contentsOf: validator, encoding: .utf8).split(separator: "\n"),
            lines.count == 2, lines[0] == source,
            let size = try? FileManager.default.attributesOfItem(atPath: bytes.path)[.size] as? NSNumber,
            size.int64Value > 0
        else { return nil }
        return (size.int64Value, String(lines[1]))
    }

    /// - Parameter validator: nil if the download cannot be continued.
    func restart(validator text: String?) throws(DownloadError) {
        try storing {
            // The old bytes are removed first: a validator must never exist with the bytes of another file.
            try Data().write(to: bytes)
            if let text {
                try Data("\(source)\n\(text)".utf8).write(to: validator, options: .atomic)
            } else {
                try? FileManager.default.removeItem(at: validator)
            }
            handle = try FileHandle(forWritingTo: bytes)
        }
    }

    func resume() throws(DownloadError) {
        try storing {
            handle = try FileHandle(forWritingTo: bytes)
            try handle?.seekToEnd()
        }
    }

    func append(_ data: Data) throws(DownloadError) {
        try storing { try handle?.write(contentsOf: data) }
    }

    func finish() throws(DownloadError) {
        try storing {
            try handle?.synchronize()
            try handle?.close()
            handle = nil
            guard rename(bytes.path, target.path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            try? FileManager.default.removeItem(at: validator)
        }
    }

    private func storing(_ work: () throws -> Void) throws(DownloadError) {
        do {
            try work()
        } catch {
            throw .storage("\(type(of: error)) \((error as NSError).code)")
        }
    }
}

/// The bytes of a file that a response contains (RFC 9110, section 14.4).
private struct ContentRange {
    /// nil if the requested range does not exist (416).
    let bytes: ClosedRange<Int64>?
    /// nil if the server does not know the size.
    let total: Int64?

    init?(_ text: String) {
        let pattern = #/(?i) *bytes +(?:([0-9]+)-([0-9]+)|\*)/([0-9]+|\*) */#
        guard let (_, start, end, size) = text.wholeMatch(of: pattern)?.output else { return nil }
        total = Int64(size)
        guard total != nil || size == "*" else { return nil }
        guard let start, let end else {
            bytes = nil
            return
        }
        guard let first = Int64(start), let last = Int64(end), first <= last, total.map({ last < $0 }) ?? true else {
            return nil
        }
        bytes = first...last
    }
}
