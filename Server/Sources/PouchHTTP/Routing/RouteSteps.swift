import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchWire

/// What happens around the handlers: finding out who calls, reading the body, opening the transaction, encoding the
/// answer.
struct RouteSteps: Sendable {
    let store: any Store
    let authenticator: Authenticator
    let digests: any Digests
    let idempotency: Idempotency

    func principal(of request: Request, for exchange: any AnyExchange) async throws -> Principal {
        try await authenticator.principal(request.headers, for: exchange.endpoint.access)
    }

    /// - Returns: the body, and its bytes as they came.
    func body<Body: Decodable>(
        _ type: Body.Type, of request: Request
    ) async throws -> (Body, Data) {
        let mediaType = request.headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard mediaType == nil || mediaType?.lowercased() == "application/json" else {
            throw RequestProblem(.unsupportedMediaType, "Send the body with Content-Type: application/json.")
        }
        let bytes = try await bytes(of: request)
        return (try StrictJSON.decode(type, from: bytes), bytes)
    }

    /// The request's idempotency key with what it stands for; nil without one, and for another method than POST.
    func key(of request: Request, _ bytes: Data, _ principal: Principal) throws -> IdempotencyRecord.Request? {
        guard request.method == .post else { return nil }
        return try IdempotencyRecord.Request(request, body: bytes, principal: principal, digests: digests)
    }

    func bytes(of request: Request) async throws -> Data {
        Data(try await request.body.collect(upTo: Limits.bodyBytes).readableBytesView)
    }

    func transact<Body, Input: Sendable, Answer: Encodable & Sendable>(
        _ exchange: Exchange<Body, Answer>, _ call: Call<Input>, _ bytes: Data, _ principal: Principal,
        _ isolation: Isolation, hasEffect: Bool,
        _ handler: @escaping @Sendable (Call<Input>, Principal, any Repositories) throws -> Reply<Answer>
    ) async throws -> Response {
        let key = try key(of: call.request, bytes, principal)
        if exchange.features.contains(.keyRequired) { _ = try required(key) }
        // Before any replay, so that a header that cannot be read is refused each time.
        if exchange.takesVersion { _ = try call.ifMatch() }
        let status = exchange.status
        guard let key else {
            let reply =
                if hasEffect {
                    try await store.write(isolation) { repositories in
                        try principal.checkSession(isolation, in: repositories)
                        return try handler(call, principal, repositories)
                    }
                } else {
                    try await store.read { repositories in
                        try principal.checkSession(in: repositories)
                        return try handler(call, principal, repositories)
                    }
                }
            return try reply.stored(status: status).response()
        }
        let (answer, isReplay) = try await store.write(isolation) { repositories in
            try principal.checkSession(isolation, in: repositories)
            if let answer = try idempotency.begin(key, in: repositories) { return (answer, true) }
            let answer = try handler(call, principal, repositories).stored(status: status)
            try idempotency.complete(key, answer: answer, in: repositories)
            return (answer, false)
        }
        return answer.response(isReplay: isReplay)
    }
}
