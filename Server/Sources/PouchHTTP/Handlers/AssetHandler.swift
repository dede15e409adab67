import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchWire

/// Images and other files of the catalogue.
struct AssetHandler {
    let store: any Store

    /// The number of bytes held in memory for one client. A slow client would otherwise keep a whole file in memory,
    /// and its progress would be invisible.
    private static let pieceBytes = 256 << 10

    /// The bytes of a file that are sent, with their head.
    private struct Part: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let bounds: Range<Int>
    }

    private struct Replaced: Error {}

    func asset(_ call: OpenCall<Void>) async throws -> Response {
        let path = call.context.parameters.getCatchAll().map { String($0).removingPercentEncoding ?? "" }
            .joined(separator: "/")
        // A database may truncate text at a NUL.
        guard !path.utf8.contains(0) else { throw DomainError.notFound }
        // One transaction, because an import may replace the file between two.
        let (digest, part, first) = try await store.read { [request = call.request] repositories in
            let head = try repositories.assets.head(path: path).orNotFound()
            let part = try Self.part(of: head, for: request)
            let first = part.bounds.prefix(Self.pieceBytes)
            return (head.digest, part, try repositories.assets.bytes(path: path, in: first))
        }
        guard part.bounds.count > Self.pieceBytes else {
            return Response(
                status: part.status, headers: part.headers, body: .init(byteBuffer: ByteBuffer(bytes: first)))
        }
        let body = ResponseBody(contentLength: part.bounds.count) { [store] writer in
            try await writer.write(ByteBuffer(bytes: first))
            var rest = part.bounds.dropFirst(Self.pieceBytes)
            while !rest.isEmpty {
                let piece = rest.prefix(Self.pieceBytes)
                let bytes = try await store.read { repositories in
                    // The client notices that the body ends early, and requests it again.
                    guard try repositories.assets.head(path: path)?.digest == digest else { throw Replaced() }
                    return try repositories.assets.bytes(path: path, in: piece)
                }
                try await writer.write(ByteBuffer(bytes: bytes))
                rest = rest.dropFirst(Self.pieceBytes)
            }
            try await writer.finish(nil)
        }
        return Response(status: part.status, headers: part.headers, body: body)
    }

    private static func part(of head: AssetHead, for request: Request) throws -> Part {
        let etag = ETag.strong(head.digest)
        var headers: HTTPFields = [.eTag: etag, .cacheControl: "public, max-age=300", .acceptRanges: "bytes"]
        if let known = request.headers[.ifNoneMatch], ETag.matches(known, etag) {
            return Part(status: .notModified, headers: headers, bounds: 0..<0)
        }
        headers[.contentType] = head.mediaType
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
        return Part(status: status, headers: headers, bounds: bounds)
    }
}

/// The byte range that a `Range` header names (RFC 9110 §14.1.2). A request for several ranges gets the whole file,
/// which the RFC allows.
///
/// - Returns: nil for anything but a single range, which is then ignored; an empty range if it lies outside the file.
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
