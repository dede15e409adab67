import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// The server behind the proxy.
struct Upstream: Sendable {
    /// An answer as the bytes that go over the wire.
    struct Answer {
        var bytes: ByteBuffer
        let headLength: Int
    }

    private static let hopByHop: Set = ["connection", "keep-alive", "transfer-encoding", "content-length"]

    let port: Int
    let client: HTTPClient

    func answer(to head: HTTPRequestHead, _ body: ByteBuffer) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(head.uri)")
        request.method = head.method
        request.headers = HTTPHeaders(head.headers.filter { !Self.hopByHop.contains($0.name.lowercased()) })
        if body.readableBytes > 0 { request.body = .bytes(body) }
        let answer = try await client.execute(request, timeout: .seconds(60))
        var content = try await answer.body.collect(upTo: 64 << 20)

        var bytes = ByteBuffer(string: "HTTP/1.1 \(answer.status.code) \(answer.status.reasonPhrase)\r\n")
        for (name, value) in answer.headers where !Self.hopByHop.contains(name.lowercased()) {
            bytes.writeString("\(name): \(value)\r\n")
        }
        // Without a body there is no length either (RFC 9110, section 8.6).
        if ![204, 304].contains(answer.status.code) {
            bytes.writeString("Content-Length: \(content.readableBytes)\r\n")
        }
        bytes.writeString("\r\n")
        let headLength = bytes.readableBytes
        bytes.writeBuffer(&content)
        return Answer(bytes: bytes, headLength: headLength)
    }
}
