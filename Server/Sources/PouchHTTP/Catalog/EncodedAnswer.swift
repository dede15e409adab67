import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchWire

/// A public answer in bytes, with all headers that it goes out with.
struct EncodedAnswer: Sendable {
    /// The figures are up to 2.75 s old when they are sent (`CatalogFollower`), and after 2 s more in a cache on the way
    /// still within the 5 s of the contract.
    private static let cacheControl = "public, max-age=1, stale-while-revalidate=1"

    let body: ByteBuffer
    let etag: String
    private let headers: HTTPFields
    private let notModifiedHeaders: HTTPFields

    init(_ value: some Encodable, digests: any Digests) throws {
        self.init(bytes: try WireJSON.encode(value), cacheControl: Self.cacheControl, digests: digests)
    }

    /// The ETag follows from the bytes, so it is the same in every process and changes exactly when they do.
    init(bytes: Data, cacheControl: String, digests: any Digests) {
        body = ByteBuffer(bytes: bytes)
        etag = ETag.strong(digests.sha256(bytes))
        notModifiedHeaders = [.eTag: etag, .cacheControl: cacheControl]
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
