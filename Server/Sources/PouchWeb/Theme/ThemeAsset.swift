import Hummingbird
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression
import PouchDomain
import Synchronization

extension WebTheme {
    /// A file that the pages load: a stylesheet, a script or the icon.
    final class Asset: Sendable {
        /// The path, which contains a digest of the text so that browsers can cache the file permanently.
        let path: String
        private let mediaType: String
        private let text: ByteBuffer
        private let gzip = Mutex<ByteBuffer?>(nil)

        /// - Parameter ending: the file extension of the path, without a dot.
        init(_ text: String, name: String, mediaType: String, ending: String) {
            self.text = ByteBuffer(string: text)
            self.mediaType = mediaType
            // The hash only has to differ between versions of a file.
            var hash = StableHash()
            hash.combine(text)
            path = "/web/\(name)-\(String(hash.value, radix: 36)).\(ending)"
        }

        /// The response with the file, compressed with gzip if the browser supports it.
        func response(to request: Request) -> Response {
            var headers: HTTPFields = [
                .contentType: mediaType, .cacheControl: "public, max-age=31536000, immutable", .vary: "Accept-Encoding",
            ]
            var body = text
            if Self.acceptsGzip(request), let packed {
                headers[.contentEncoding] = "gzip"
                body = packed
            }
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
        }

        private static func acceptsGzip(_ request: Request) -> Bool {
            request.headers[values: .acceptEncoding].joined(separator: ",").split(separator: ",").contains { coding in
                let parts = coding.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
                return parts.first == "gzip" && !parts.dropFirst().contains { $0.wholeMatch(of: #/q=0(\.0*)?/#) != nil }
            }
        }

        /// The compressed file, created at the first request; nil if that fails.
        private var packed: ByteBuffer? {
            gzip.withLock { gzip in
                if gzip == nil { gzip = try? Self.packed(text) }
                return gzip
            }
        }

        /// Compresses a text. The package compresses only responses of a channel, so this uses an unconnected one.
        private static func packed(_ text: ByteBuffer) throws -> ByteBuffer {
            let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
            let request = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/", headers: ["Accept-Encoding": "gzip"])
            try channel.writeInbound(HTTPServerRequestPart.head(request))
            try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
            try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(text)))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
            var packed = ByteBuffer()
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                if case .body(.byteBuffer(var bytes)) = part { packed.writeBuffer(&bytes) }
            }
            _ = try channel.finish()
            return packed
        }
    }
}
