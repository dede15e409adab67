import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchWire

/// Images and other files of the catalogue.
struct AssetRoutes {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        routes.open(.asset) { call in
            let path = call.context.parameters.getCatchAll().map { String($0).removingPercentEncoding ?? "" }
                .joined(separator: "/")
            // A database may cut a text at a NUL.
            guard !path.utf8.contains(0) else { throw DomainError.notFound }
            // One read, since an import may replace the file between two.
            return try await services.store.read { [request = call.request] repositories in
                guard let head = try repositories.assets.head(path: path) else { throw DomainError.notFound }
                return try Self.response(head, to: request) { try repositories.assets.bytes(path: path, in: $0) }
            }
        }
    }

    /// - Parameter bytes: reads a part of the file; what is not sent is not read either.
    private static func response(
        _ head: AssetHead, to request: Request, bytes: (Range<Int>) throws -> Data
    ) throws -> Response {
        let etag = ETag.strong(head.digest)
        var headers: HTTPFields = [.eTag: etag, .cacheControl: "public, max-age=300", .acceptRanges: "bytes"]
        if let known = request.headers[.ifNoneMatch], ETag.matches(known, etag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = head.mediaType
        headers[.xContentTypeOptions] = "nosniff"
        // A drawing may bring scripts; opened by itself it must not run them with the rights of the shop.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

        var bounds = 0..<head.byteCount
        var status = HTTPResponse.Status.ok
        let isCurrent = request.headers[.ifRange].map { $0 == etag } ?? true
        // Ranges are for GET alone (RFC 9110 §14.2).
        if request.method == .get, isCurrent, let range = request.headers[.range].flatMap({ ByteRange($0) }) {
            guard let found = range.bounds(of: head.byteCount) else {
                throw RequestProblem(.rangeNotSatisfiable, "The file has \(head.byteCount) bytes.").with {
                    $0.headers[.contentRange] = "bytes */\(head.byteCount)"
                }
            }
            (bounds, status) = (found, .partialContent)
            headers[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(head.byteCount)"
        }
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: try bytes(bounds))))
    }
}
