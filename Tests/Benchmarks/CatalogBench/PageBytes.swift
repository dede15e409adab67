import Benchmarking
import Foundation
import Hummingbird
import NIOCore

/// The very bytes that the shop answers for the measured page.
struct PageBytes: Sendable {
    let bytes: ByteBuffer
    let etag: String

    /// Asks the shop over HTTP.
    init(of url: String) async throws {
        let head = try await Program.run("curl", ["-s", "-o", "/dev/null", "-D", "-", url])
        guard
            let etag = head.split(whereSeparator: \.isNewline).first(where: { $0.lowercased().hasPrefix("etag: ") })
        else { throw BenchError("the page has no ETag: \(head)") }
        self.etag = String(etag.dropFirst(6))
        bytes = ByteBuffer(string: try await Program.run("curl", ["-s", url]))
    }

    var response: Response {
        Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: bytes))
    }
}
