import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchWire

/// Images and other files of the catalogue.
struct AssetHandler {
    let store: any Store

    func asset(_ call: OpenCall<Void>) async throws -> Response {
        let path = call.context.parameters.getCatchAll().map { String($0).removingPercentEncoding ?? "" }
            .joined(separator: "/")
        // A database may cut a text at a NUL.
        guard !path.utf8.contains(0) else { throw DomainError.notFound }
        // One transaction, because an import may replace the file between two.
        return try await store.read { [request = call.request] repositories in
            guard let head = try repositories.assets.head(path: path) else { throw DomainError.notFound }
            return try Self.response(head, to: request) { try repositories.assets.bytes(path: path, in: $0) }
        }
    }

    /// - Parameter bytes: reads the part of the file that is sent.
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
        // An SVG may contain scripts; opened by itself, it must not run them with the rights of the shop.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

        var bounds = 0..<head.byteCount
        var status = HTTPResponse.Status.ok
        let isCurrent = request.headers[.ifRange].map { $0 == etag } ?? true
        // Ranges apply to GET only (RFC 9110 §14.2).
        if request.method == .get, isCurrent,
            let range = request.headers[.range].flatMap({ byteRange($0, of: head.byteCount) })
        {
            guard !range.isEmpty else {
                var problem = RequestProblem(.rangeNotSatisfiable, "The file has \(head.byteCount) bytes.")
                problem.headers[.contentRange] = "bytes */\(head.byteCount)"
                throw problem
            }
            (bounds, status) = (range, .partialContent)
            headers[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(head.byteCount)"
        }
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: try bytes(bounds))))
    }
}

/// The one range of bytes that a `Range` header names (RFC 9110 §14.1.2). A request for several ranges gets the whole
/// file, which the RFC allows.
///
/// - Returns: nil for anything but one range, which is then ignored; an empty range if it lies outside the file.
private func byteRange(_ header: String, of count: Int) -> Range<Int>? {
    guard header.hasPrefix("bytes=") else { return nil }
    let halves = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
        return nil
    }
    return switch (Int(halves[0]), Int(halves[1])) {
    case (let first?, let last?) where first <= last: min(first, count)..<min(last, count - 1) + 1
    case (let first?, nil) where halves[1].isEmpty: min(first, count)..<count
    case (nil, let wanted?) where halves[0].isEmpty: max(0, count - wanted)..<count
    default: nil
    }
}
