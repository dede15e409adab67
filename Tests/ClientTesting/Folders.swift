import Foundation
import PouchNetwork
import PouchTesting
import PouchWire
import Synchronization

/// A folder that is removed with the object.
package final class TemporaryFolder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")

    package init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package func file(_ name: String) -> URL { url.appending(path: name) }

    package func file(_ name: String, containing text: String) throws -> URL {
        try text.write(to: file(name), atomically: true, encoding: .utf8)
        return file(name)
    }

    package var files: [URL] {
        get throws {
            try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
                .sorted { $0.path < $1.path }
        }
    }
}

/// A web server of static files as a transport, with ETags, 304 and 404. It can be unreachable for a while.
package final class WebFolder: Transport {
    private struct State {
        var files: [String: Data] = [:]
        var headers: HeaderFields = [:]
        var isAway = false
        var log: [NetworkRequest] = []
    }

    private let state = Mutex(State())
    private let gate: Gate?

    /// - Parameter gate: holds each request before its answer.
    package init(_ files: [String: String] = [:], headers: HeaderFields = [:], gate: Gate? = nil) {
        self.gate = gate
        state.withLock { state in
            state.files = files.mapValues { Data($0.utf8) }
            state.headers = headers
        }
    }

    package var requests: [NetworkRequest] { state.withLock { $0.log } }

    package func requests(to path: String) -> Int { requests.count { $0.url.path() == path } }

    package func put(_ text: String?, at path: String) {
        state.withLock { $0.files[path] = text.map { Data($0.utf8) } }
    }

    package func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    package func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        state.withLock { $0.log.append(request) }
        await gate?.pass()
        let (data, common, isAway) = state.withLock { ($0.files[request.url.path()], $0.headers, $0.isAway) }
        if isAway { throw .unreachable("away") }
        guard let data else {
            // Among plain files, or of a shop's interface.
            if request.url.path().hasPrefix("/v1/") { return StreamedResponse(.problem(.notFound)) }
            return StreamedResponse(.text("<html>Not here.</html>", status: 404, type: "text/html"))
        }
        var headers = common
        // The hash of all bytes; `Data.hashValue` uses only the first ones.
        let etag = "\"\(Array(data).hashValue)\""
        headers["ETag"] = etag
        guard request.headers["If-None-Match"] != etag else {
            return StreamedResponse(NetworkResponse(status: 304, headers: headers))
        }
        return StreamedResponse(NetworkResponse(status: 200, headers: headers, data: data))
    }
}
