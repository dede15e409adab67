import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire

/// A request with a verified access token and its input: the decoded body or the query.
package struct Call<Input: Sendable>: ReceivedCall {
    package let input: Input
    /// The body as sent; empty if the handler reads the body itself.
    let bytes: Data
    package let principal: Principal
    /// nil if the request has no key, or must not have one.
    let key: IdempotencyRecord.Request?
    package let request: Request
    package let context: PouchRequestContext

    /// - Throws: `RequestProblem` if the request has no key.
    var requiredKey: IdempotencyRecord.Request {
        get throws {
            guard let key else {
                throw RequestProblem(
                    .idempotencyKeyRequired, "Send an Idempotency-Key header, with a new key for each operation.")
            }
            return key
        }
    }

    /// Records the value that the request replaces or deletes, for the audit log.
    func replaced(_ value: some JSONCodable) {
        context.audit?.noteReplaced(value)
    }

    /// Records the id of the object that the request changes, for the audit log, if the path may name it differently.
    func changes(id: String) {
        context.audit?.noteId(id)
    }

    /// The version in `If-Match`; nil without the header and for `*`.
    ///
    /// - Throws: `RequestProblem` if it is not an ETag that this server issues for a version.
    var ifMatch: Int? {
        get throws {
            guard let value = request.headers[.ifMatch], value != "*" else { return nil }
            guard value.count > 2, value.hasPrefix("\""), value.hasSuffix("\""),
                let version = Int(value.dropFirst().dropLast())
            else {
                throw RequestProblem(.invalidHeader, "If-Match must be an ETag from this server.")
            }
            return version
        }
    }

    /// Whether the request has `Prefer: return=minimal`.
    var prefersMinimal: Bool {
        request.headers[values: .prefer].contains {
            $0.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == "return=minimal" }
        }
    }
}

/// A request that needs no access token, with its input.
package struct OpenCall<Input: Sendable>: ReceivedCall {
    package let input: Input
    package let request: Request
    package let context: PouchRequestContext
}

package protocol ReceivedCall: Sendable {
    var request: Request { get }
    var context: PouchRequestContext { get }
}

extension ReceivedCall {
    /// The client's name for itself.
    var userAgent: String? { request.headers[.userAgent] }

    /// A path parameter, percent-decoded.
    ///
    /// - Throws: `RequestProblem` if it cannot be decoded.
    package func parameter(_ name: String) throws -> String {
        guard let text = context.parameters.get(name)?.removingPercentEncoding, !text.utf8.contains(0) else {
            throw RequestProblem(.invalidRequest, "The path has an invalid percent escape.")
        }
        return text
    }
}

extension Request {
    /// - Parameter currency: the shop's, for a query with prices.
    /// - Throws: `QueryProblem`; `RequestProblem` if the query cannot be percent-decoded.
    func query<Query: QueryType>(_ type: Query.Type, currency: Currency? = nil) throws -> Query {
        guard let query = QueryString(parsing: uri.query ?? "") else {
            throw RequestProblem(.invalidQuery, "The query has an invalid percent escape.")
        }
        return try Query(query, currency: currency)
    }
}

/// The handler after a middleware.
package typealias NextHandler = (Request, PouchRequestContext) async throws -> Response

/// The context of a request.
public struct PouchRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The request's id in the response and in logs.
    public let requestId: String
    /// The address of the client, or of an untrusted proxy; nil for a connection without an address.
    public internal(set) var client: NetworkAddress?
    /// The connection.
    let channel: any Channel
    /// nil for a request that is not audited.
    var audit: AuditNote?

    /// The network that the client's attempts count for.
    package var network: String { client?.network ?? "" }

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        // Hummingbird stores its id in the logger's metadata, which a log handler may omit.
        requestId = source.logger[metadataKey: "hb.request.id"]?.description ?? UUID().uuidString
        client = source.channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
    }
}

extension HTTPField.Name {
    static let requestId = named(HeaderName.requestId)
    static let traceparent = named(HeaderName.traceparent)
    static let accessToken = named(HeaderName.accessToken)
    package static let idempotencyKey = named(HeaderName.idempotencyKey)
    static let idempotentReplayed = named(HeaderName.idempotentReplayed)
    static let shouldRetry = named(HeaderName.shouldRetry)
    static let accelBuffering = named("X-Accel-Buffering")
    static let forwardedFor = named("X-Forwarded-For")
    static let lastEventId = named(HeaderName.lastEventId)
    package static let prefer = named(HeaderName.prefer)

    package static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a header name") }
        return name
    }
}
