import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PouchContract
import PouchDomain
import PouchWire

/// Registers the endpoints of the contract, each with the steps around its handler.
struct RouteRegistrar {
    let router: Router<PouchRequestContext>
    let steps: RouteSteps

    // MARK: For anyone

    func open(_ endpoint: Endpoint, _ handler: @escaping @Sendable (Call<Void>) async throws -> Response) {
        register(endpoint) { request, context in
            try await handler(Call(body: (), request: request, context: context))
        }
    }

    /// An endpoint without a principal; its answer is never stored.
    func open<Body: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ exchange: Exchange<Body, Answer>, _ handler: @escaping @Sendable (Call<Body>) async throws -> Answer
    ) {
        register(exchange.endpoint) { [steps] request, context in
            let (body, _) = try await steps.body(Body.self, of: request)
            let answer = try await handler(Call(body: body, request: request, context: context))
            return try Reply(answer).stored(status: exchange.status).response()
        }
    }

    func open<Answer: Encodable & Sendable>(
        _ exchange: Exchange<NoBody, Answer>, _ handler: @escaping @Sendable (Call<Void>) async throws -> Answer
    ) {
        register(exchange.endpoint) { request, context in
            let answer = try await handler(Call(body: (), request: request, context: context))
            return try Reply(answer).stored(status: exchange.status).response()
        }
    }

    // MARK: For principals

    /// One read transaction.
    func read<Answer: Encodable & Sendable>(
        _ exchange: Exchange<NoBody, Answer>,
        _ handler: @escaping @Sendable (Call<Void>, Principal, any Repositories) throws -> Reply<Answer>
    ) {
        register(exchange) { [steps] request, context, principal in
            let call = Call(body: (), request: request, context: context)
            let reply = try await steps.store.read { repositories in
                try principal.checkSession(in: repositories)
                return try handler(call, principal, repositories)
            }
            return try reply.stored(status: exchange.status).response()
        }
    }

    /// One write transaction, in which the idempotency record is written too.
    ///
    /// - Parameters:
    ///   - hasEffect: false for a handler that only reads; without an idempotency key nothing is written then.
    ///   - afterwards: what is done once the transaction is committed.
    func write<Body: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ exchange: Exchange<Body, Answer>, _ isolation: Isolation = .serializable, hasEffect: Bool = true,
        afterwards: @escaping @Sendable () async -> Void = {},
        _ handler: @escaping @Sendable (Call<Body>, Principal, any Repositories) throws -> Reply<Answer>
    ) {
        register(exchange) { [steps] request, context, principal in
            let (body, bytes) = try await steps.body(Body.self, of: request)
            let call = Call(body: body, request: request, context: context)
            let response = try await steps.transact(
                exchange, call, bytes, principal, isolation, hasEffect: hasEffect, handler)
            await afterwards()
            return response
        }
    }

    /// One write transaction, in which the idempotency record is written too.
    func write<Answer: Encodable & Sendable>(
        _ exchange: Exchange<NoBody, Answer>, _ isolation: Isolation = .serializable,
        _ handler: @escaping @Sendable (Call<Void>, Principal, any Repositories) throws -> Reply<Answer>
    ) {
        register(exchange) { [steps] request, context, principal in
            let call = Call(body: (), request: request, context: context)
            return try await steps.transact(
                exchange, call, try await steps.bytes(of: request), principal, isolation, hasEffect: true, handler)
        }
    }

    /// Several transactions; the handler keeps the idempotency record itself.
    func perform<Body: Decodable & Sendable, Answer>(
        _ exchange: Exchange<Body, Answer>,
        _ handler:
            @escaping @Sendable (Call<Body>, Principal, IdempotencyRecord.Request?) async throws -> Response
    ) {
        register(exchange) { [steps] request, context, principal in
            let (body, bytes) = try await steps.body(Body.self, of: request)
            return try await handler(
                Call(body: body, request: request, context: context), principal,
                steps.key(of: request, bytes, principal))
        }
    }

    /// Several transactions; the handler keeps the idempotency record itself.
    func perform<Answer>(
        _ exchange: Exchange<NoBody, Answer>,
        _ handler:
            @escaping @Sendable (Call<Void>, Principal, IdempotencyRecord.Request?) async throws -> Response
    ) {
        register(exchange) { [steps] request, context, principal in
            return try await handler(
                Call(body: (), request: request, context: context), principal,
                steps.key(of: request, steps.bytes(of: request), principal))
        }
    }

    /// One write transaction; there is nothing to answer.
    func delete(
        _ exchange: Exchange<NoBody, NoContent>,
        _ handler: @escaping @Sendable (Call<Void>, Principal, any Repositories) throws -> Void
    ) {
        perform(exchange) { [steps] call, principal, _ in
            try await steps.store.write { repositories in
                try principal.checkSession(in: repositories)
                try handler(call, principal, repositories)
            }
            return .noContent
        }
    }

    /// A body that is read or written piece by piece, and transactions of the handler's own; it keeps the idempotency record
    /// itself.
    func stream<Body, Answer>(
        _ exchange: Exchange<Body, Answer>,
        _ handler: @escaping @Sendable (Call<Void>, Principal) async throws -> Response
    ) {
        register(exchange) { [steps] request, context, principal in
            try await steps.store.read { try principal.checkSession(in: $0) }
            return try await handler(Call(body: (), request: request, context: context), principal)
        }
    }

    /// An endpoint that takes a token. What administrators change is logged by name.
    private func register(
        _ exchange: any AnyExchange,
        _ handler: @escaping @Sendable (Request, PouchRequestContext, Principal) async throws -> Response
    ) {
        let endpoint = exchange.endpoint
        register(endpoint) { [steps] request, context in
            let principal = try await steps.principal(of: request, for: exchange)
            let response = try await handler(request, context, principal)
            if endpoint.access == .admin, endpoint.method != .get, response.status.kind == .successful {
                context.logger.notice(
                    "administration",
                    metadata: [
                        "actor": "\(principal.ownerId)", "action": "\(endpoint.name)",
                        "object": "\(request.uri.path)",
                    ])
            }
            return response
        }
    }

    private func register(
        _ endpoint: Endpoint,
        _ handler: @escaping @Sendable (Request, PouchRequestContext) async throws -> Response
    ) {
        router.on(RouterPath(endpoint.template), method: .init(endpoint.method)) { request, context in
            try await handler(request, context)
        }
    }
}

extension RouterPath {
    init(_ template: PathTemplate) {
        self.init(
            template.segments.map { segment in
                switch segment {
                case .literal(let text): text
                case .parameter(let name): "{\(name)}"
                case .rest: "**"
                }
            }.joined(separator: "/"))
    }
}

extension HTTPRequest.Method {
    init(_ verb: HTTPVerb) {
        self =
            switch verb {
            case .get: .get
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            }
    }
}
