import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchWire

/// A catalogue answer in bytes, with all headers that it goes out with.
struct EncodedAnswer: Sendable {
    /// A snapshot is at most half as old as the contract allows; the rest is left to caches on the way.
    private static let cacheControl = "public, max-age=2, stale-while-revalidate=30"

    let body: ByteBuffer
    let etag: String
    private let headers: HTTPFields
    private let notModifiedHeaders: HTTPFields

    /// The ETag follows from the bytes, so it is the same in every process and changes exactly when they do.
    init(_ value: some Encodable) throws {
        let bytes = try WireJSON.encode(value)
        body = ByteBuffer(bytes: bytes)
        etag = "\"" + Data(SHA256.hash(data: bytes).prefix(12)).base64URL + "\""
        notModifiedHeaders = [.eTag: etag, .cacheControl: Self.cacheControl]
        var headers = notModifiedHeaders
        headers[.contentType] = "application/json"
        headers[.contentLength] = String(body.readableBytes)
        self.headers = headers
    }

    func response(to request: Request) -> Response {
        if let known = request.headers[.ifNoneMatch], ETag.matches(known, etag) {
            return Response(status: .notModified, headers: notModifiedHeaders)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
    }
}
