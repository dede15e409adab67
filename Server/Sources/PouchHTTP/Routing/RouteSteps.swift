import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire

/// The steps around a handler: reading the body, the idempotency key, the transaction, and encoding the answer.
package struct RouteSteps: Sendable {
    /// A handler within a transaction.
    package typealias Handler<Input: Sendable, Answer> = @Sendable (Call<Input>, any ShopRepositories) throws -> Answer

    let store: any ShopStore
    let authenticator: Authenticator
    let digests: any Digests
    let idempotency: Idempotency
    let audit: AuditLog
    /// The limit of stored keys of one network; nil for no limit.
    let storedKeys: NetworkLimiter?

    /// - Parameter isOptional: whether an empty body means an object without fields.
    /// - Returns: the body, decoded and as received.
    func json<Body: JSONCodable>(
        _ type: Body.Type, of request: Request, isOptional: Bool
    ) async throws -> (Body, Data) {
        guard request.headers[.contentType].map({ $0.mediaType == "application/json" }) ?? true else {
            throw RequestProblem(.unsupportedMediaType, "Send the body with Content-Type: application/json.")
        }
        let bytes = try await bytes(of: request)
        let json = isOptional && bytes.isEmpty ? Data("{}".utf8) : bytes
        return (try Body(json: json, .request), bytes)
    }

    func bytes(of request: Request) async throws -> Data {
        Data(try await request.collected().readableBytesView)
    }

    /// - Returns: nil without a key.
    func key(of request: Request, _ body: Data, _ principal: Principal) throws -> IdempotencyRecord.Request? {
        try IdempotencyRecord.Request(request, body: body, principal: principal, digests: digests)
    }

    /// Runs a write transaction, with the idempotency record if the request has a key.
    ///
    /// - Parameter repeating: answers a repeated request, whose answer is then not stored; nil to store the answer.
    /// - Throws: `DomainError.tooManyRequests` for a guest or customer whose network has sent too many new keys, since
    ///   each is stored for a day.
    func transact<Input: Sendable, Answer: JSONCodable>(
        _ exchange: any AnyExchange, _ call: Call<Input>, _ isolation: Isolation,
        repeating: Handler<Input, Reply<Answer>>?, _ handler: @escaping Handler<Input, Reply<Answer>>
    ) async throws -> Response {
        let principal = call.principal
        if exchange.features.contains(.keyRequired) { _ = try call.requiredKey }
        // Checked before any replay, so that a malformed header is always refused.
        if exchange.acceptsIfMatch { _ = try call.ifMatch }
        let status = exchange.status
        let (limiter, network) = (call.key == nil || principal.kind == .admin ? nil : storedKeys, call.context.network)
        let answer = try await store.write(for: principal, isolation) { repositories in
            if let answer = try idempotency.begin(call.key, in: repositories) {
                guard answer.body.isEmpty, let repeating else { return answer }
                return try repeating(call, repositories).stored(status: status).replayed
            }
            if let wait = limiter?.wait(of: network) { throw DomainError.tooManyRequests(retryAfterSeconds: wait) }
            let answer = try handler(call, repositories).stored(status: status)
            try record(call, answer, in: repositories)
            try idempotency.complete(
                call.key, answer: repeating == nil ? answer : answer.withoutBody, in: repositories)
            return answer
        }
        if !answer.isReplay { limiter?.count(network) }
        return answer.response
    }

    /// Stores the audit log entry, if the call needs one, in the transaction of its change.
    func record<Input: Sendable>(
        _ call: Call<Input>, _ answer: StoredAnswer? = nil, in repositories: any Repositories
    ) throws {
        // Only a new object has an id that is not in the path.
        let new = [201, 202].contains(answer?.code) ? answer?.body : nil
        try call.context.audit?.record(values: call.bytes, answer: new, to: audit, in: repositories)
    }

    /// Stores the audit log entry of a member's change of their own access, in the transaction of the change. The
    /// request's body contains secrets, and is not stored.
    func record(
        _ exchange: any AnyExchange, by accountId: String, _ call: some ReceivedCall, values: JSON? = nil,
        in repositories: any Repositories
    ) throws {
        try audit.record(
            actor: accountId, action: exchange.endpoint.name,
            object: Contract.changeStaffRole.endpoint.template.path(["id": accountId]), before: nil,
            values: try values?.json(), address: call.context.client?.description, requestId: call.context.requestId,
            in: repositories)
    }
}

extension Request {
    /// The whole body. A body whose length is too large is refused before it is sent.
    ///
    /// - Throws: `NIOTooManyBytesError`.
    package func collected(upTo limit: Int = Limits.bodyBytes) async throws -> ByteBuffer {
        guard contentLength ?? 0 <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
        return try await body.collect(upTo: limit)
    }

    /// The length of the body; nil if the client does not state it.
    var contentLength: Int? { headers[.contentLength].flatMap { Int($0) } }
}

extension IdempotencyRecord.Request {
    /// The idempotency key of a request with its fingerprint; nil without the header.
    ///
    /// - Parameter body: the body, or bytes that represent it.
    /// - Throws: `RequestProblem` if the key is malformed.
    init?(_ request: Request, body: Data, principal: Principal, digests: any Digests) throws {
        guard let key = request.headers[.idempotencyKey] else { return nil }
        guard Limits.idempotencyKeyLength.contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw RequestProblem(.invalidHeader, "Idempotency-Key must be 1 to 255 visible ASCII characters.")
        }
        let head = Data("\(request.method.rawValue)\n\(request.uri.string)\n".utf8)
        self.init(ownerId: principal.ownerId, key: key, fingerprint: digests.sha256(head + body))
    }
}
