import Crypto
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
            guard !path.utf8.contains(0),
                let asset = try await services.store.read({ try $0.assets.asset(path: path) })
            else {
                throw DomainError.notFound
            }
            return try Self.response(asset, to: call.request)
        }
    }

    private static func response(_ asset: StoredAsset, to request: Request) throws -> Response {
        let etag = "\"" + Data(SHA256.hash(data: asset.bytes).prefix(12)).base64URL + "\""
        var headers: HTTPFields = [.eTag: etag, .cacheControl: "public, max-age=300", .acceptRanges: "bytes"]
        if let known = request.headers[.ifNoneMatch], ETag.matches(known, etag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = asset.mediaType
        headers[.xContentTypeOptions] = "nosniff"
        // A drawing may bring scripts; opened by itself it must not run them with the rights of the shop.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

        let isCurrent = request.headers[.ifRange].map { $0 == etag } ?? true
        if isCurrent, let range = request.headers[.range].flatMap({ ByteRange($0) }) {
            guard let bounds = range.bounds(of: asset.bytes.count) else {
                throw RequestProblem(.rangeNotSatisfiable, "The file has \(asset.bytes.count) bytes.").with {
                    $0.headers[.contentRange] = "bytes */\(asset.bytes.count)"
                }
            }
            headers[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(asset.bytes.count)"
            return Response(
                status: .partialContent, headers: headers,
                body: .init(byteBuffer: ByteBuffer(bytes: asset.bytes[bounds])))
        }
        return Response(
            status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
}
