import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchJSON
import PouchWire
import Synchronization

/// The encoded answers for one snapshot of the catalogue, by request URI.
///
/// Encoding dominates the cost of a read, so each answer is encoded once per snapshot. Clients choose the URIs: the
/// length of a URI and the memory of all answers are bounded, and beyond the bound all answers are dropped.
final class CatalogAnswers: Sendable {
    private static let capacity = 64 << 20
    private static let longestKey = 512
    /// A high estimate of an entry's memory for headers, ETag and dictionary.
    private static let entryBytes = 2 << 10

    private let catalog: CatalogFollower
    private let state = Mutex(State())

    private struct State {
        var snapshot: CatalogSnapshot?
        var answers: [String: PublicAnswer] = [:]
        var bytes = 0
    }

    init(catalog: CatalogFollower) {
        self.catalog = catalog
    }

    /// The answer that may be sent right now; nil if it has to be made, or the catalogue to be checked first.
    func ready(_ uri: String) -> PublicAnswer? {
        guard uri.utf8.count <= Self.longestKey, let snapshot = catalog.ready else { return nil }
        return state.withLock { $0.snapshot === snapshot ? $0.answers[uri] : nil }
    }

    /// - Parameter encode: makes the answer from the snapshot; errors are not stored.
    func response(
        to request: Request, encode: (CatalogSnapshot) throws -> PublicAnswer
    ) async throws -> Response {
        let snapshot = try await catalog.current()
        let key = request.uri.string
        let stored = state.withLock { $0.snapshot === snapshot ? $0.answers[key] : nil }
        if let stored { return stored.response(to: request) }

        let answer = try encode(snapshot)
        if key.utf8.count <= Self.longestKey {
            state.withLock { state in
                if state.snapshot !== snapshot || state.bytes >= Self.capacity {
                    state = State(snapshot: snapshot)
                }
                state.answers[key] = answer
                state.bytes += Self.entryBytes + key.utf8.count + answer.body.storageCapacity
            }
        }
        return answer.response(to: request)
    }
}

/// The bytes of a public answer, with its headers.
struct PublicAnswer: Sendable {
    /// Figures are up to 2.75 s old when sent (`CatalogFollower`); 2 s more in caches stay within the 5 s of the
    /// contract.
    private static let cacheControl = "public, max-age=1, stale-while-revalidate=1"

    let body: ByteBuffer
    let etag: String
    private let headers: HTTPFields
    private let notModifiedHeaders: HTTPFields
    /// The beginnings of both responses as `CatalogLane` sends them, up to the headers of the answer.
    let (head, notModifiedHead): (ByteBuffer, ByteBuffer)

    init(_ value: some JSONCodable, digests: any Digests) throws {
        self.init(bytes: try value.json(), cacheControl: Self.cacheControl, digests: digests)
    }

    /// The ETag is a digest of the bytes, so it is the same in every process and changes exactly when they do.
    init(bytes: Data, cacheControl: String, digests: any Digests) {
        body = ByteBuffer(bytes: bytes)
        etag = ETag.strong(digests.sha256(bytes))
        notModifiedHeaders = [.eTag: etag, .cacheControl: cacheControl]
        var headers = notModifiedHeaders
        headers[.contentType] = "application/json"
        headers[.contentLength] = String(body.readableBytes)
        self.headers = headers
        head = Self.head("200 OK", headers)
        notModifiedHead = Self.head("304 Not Modified", notModifiedHeaders)
    }

    private static func head(_ status: String, _ headers: HTTPFields) -> ByteBuffer {
        ByteBuffer(string: "HTTP/1.1 \(status)\r\n" + headers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined())
    }

    /// Whether a value of If-None-Match names this answer, so that the client needs no body.
    func isKnown(_ ifNoneMatch: String?) -> Bool {
        ifNoneMatch.map { ETag.matches($0, etag) } ?? false
    }

    func response(to request: Request) -> Response {
        if isKnown(request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: notModifiedHeaders)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
    }
}

/// RFC 9110 §13.1.2.
enum ETag {
    static func strong(_ digest: Data) -> String {
        "\"" + digest.prefix(12).base64URL + "\""
    }

    /// Whether a value of If-None-Match names the ETag, by weak comparison.
    static func matches(_ header: String, _ etag: String) -> Bool {
        if header == etag || header == "*" { return true }
        return header.split(separator: ",").contains { candidate in
            let candidate = candidate.trimmingCharacters(in: .whitespaces)
            return candidate == etag || candidate == "W/" + etag
        }
    }
}
