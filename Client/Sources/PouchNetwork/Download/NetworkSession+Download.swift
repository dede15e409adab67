import Foundation

extension NetworkSession {
    private static let longestRefusal = 64 << 10

    /// Loads a file. It appears at its target whole or not at all, and replaces what was there in one step.
    ///
    /// What broke off is gone on with, in this call as often as the retry policy says without a byte of progress, and in
    /// a later one: of a file that has a strong `ETag` or a `Last-Modified` only the rest is asked for, and all of it
    /// where it has changed meanwhile. Until then the bytes are in a file beside the target. One download at a time may
    /// have a target.
    ///
    /// - Parameters:
    ///   - request: its timeout holds for the head and for each piece, not for the whole.
    ///   - target: a file, in a folder that is there.
    ///   - onProgress: told the bytes that are there and those of the whole file, where the server says.
    /// - Returns: the header fields of the answer that brought the last bytes.
    @discardableResult
    public func download(
        _ request: NetworkRequest, to target: URL,
        onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) async throws(DownloadError) -> HeaderFields {
        let partial = PartialFile(of: request.url, target: target)
        var failures = 0
        var reached: Int64 = 0
        while true {
            do throws(DownloadError) {
                return try await load(request, from: await partial.resumable(), into: partial, onProgress)
            } catch {
                let size = await partial.resumable()?.size ?? 0
                failures = size > reached ? 1 : failures + 1
                reached = size
                guard let ending = error.ending,
                    let pause = retries.pause(after: ending, of: request, failures: failures, now: now())
                else { throw error }
                guard (try? await clock.sleep(for: pause)) != nil else {
                    throw .network(.cancelled)
                }
            }
        }
    }

    /// - Parameter start: nil asks for the whole file.
    private func load(
        _ original: NetworkRequest, from start: PartialFile.Start?, into partial: PartialFile,
        _ onProgress: @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(DownloadError) -> HeaderFields {
        var request = original
        // The range counts the bytes of what is sent, so that it must be the file itself.
        request.headers["Accept-Encoding"] = "identity"
        if let start {
            request.headers["Range"] = "bytes=\(start.size)-"
            request.headers["If-Range"] = start.validator
        }
        let response = try await answer(to: request)
        let range = response.headers["Content-Range"].flatMap(ContentRange.init)
        switch (response.status, start) {
        case (200, _):
            let total = response.headers["Content-Length"].flatMap { Int64($0) }
            try await partial.begin(validator: response.headers.validator)
            return try await store(response, in: partial, from: 0, total: total, onProgress)
        case (206, let start?):
            guard range?.bytes?.lowerBound == start.size,
                response.headers.validator ?? start.validator == start.validator
            else { return try await load(original, from: nil, into: partial, onProgress) }
            try await partial.resume()
            return try await store(response, in: partial, from: start.size, total: range?.total, onProgress)
        case (416, let start?):
            // The file is the same one, or the server had sent it anew; so all of it is here.
            guard range?.total == start.size else {
                return try await load(original, from: nil, into: partial, onProgress)
            }
            try await partial.finish()
            return response.headers
        default:
            let data = (try? await response.body.collected(upTo: Self.longestRefusal)) ?? Data()
            throw .refused(NetworkResponse(status: response.status, headers: response.headers, data: data))
        }
    }

    private func answer(to request: NetworkRequest) async throws(DownloadError) -> StreamedResponse {
        do throws(NetworkError) {
            return try await stream(request)
        } catch {
            throw .network(error)
        }
    }

    private func store(
        _ response: StreamedResponse, in partial: PartialFile, from start: Int64, total: Int64?,
        _ onProgress: @Sendable (_ received: Int64, _ total: Int64?) -> Void
    ) async throws(DownloadError) -> HeaderFields {
        var size = start
        var pieces = response.body.makeAsyncIterator()
        while true {
            let piece: Data?
            do throws(NetworkError) {
                piece = try await pieces.next()
            } catch {
                throw .network(error)
            }
            guard let piece else { break }
            try await partial.append(piece)
            size += Int64(piece.count)
            onProgress(size, total)
        }
        guard total == nil || size == total else { throw .network(.connectionLost("the file is not whole")) }
        try await partial.finish()
        return response.headers
    }
}

extension HeaderFields {
    /// What `If-Range` takes (RFC 9110, section 13.1.5): a strong ETag, else a date that is strong.
    fileprivate var validator: String? {
        if let etag = self["ETag"], etag.hasPrefix("\"") { return etag }
        // A file may change twice in a second; only of a date that had passed is it known that it did not.
        guard let changed = self["Last-Modified"], let sent = self["Date"], sent != changed else { return nil }
        return changed
    }
}

extension DownloadError {
    /// As the retry policy judges it.
    fileprivate var ending: Result<NetworkResponse, NetworkError>? {
        switch self {
        case .network(let error): .failure(error)
        case .refused(let response): .success(response)
        case .storage: nil
        }
    }
}
