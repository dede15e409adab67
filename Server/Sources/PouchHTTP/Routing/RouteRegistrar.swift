import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchWire

/// Registers the routes of `ShopRouter`, each with the steps around its handler.
///
/// The first argument of every method is the method and path of the route; they must equal those of its endpoint.
struct RouteRegistrar {
    let router: Router<PouchRequestContext>
    let steps: RouteSteps
    let answers: CatalogAnswers

    // MARK: For everyone

    /// A handler that makes the whole response.
    func open(
        _ route: String, _ endpoint: Endpoint,
        _ handler: @escaping @Sendable (OpenCall<Void>) async throws -> Response
    ) {
        register(route, .anyone, endpoint) { request, context in
            try await handler(OpenCall(body: (), request: request, context: context))
        }
    }

    func open<Answer: Encodable & Sendable>(
        _ route: String, _ exchange: Exchange<NoBody, Answer>,
        _ handler: @escaping @Sendable (OpenCall<Void>) async throws -> Answer
    ) {
        open(route, exchange.endpoint) { call in
            try Reply(try await handler(call)).stored(status: exchange.status).response
        }
    }

    func open<Body: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ route: String, _ exchange: Exchange<Body, Answer>,
        _ handler: @escaping @Sendable (OpenCall<Body>) async throws -> Answer
    ) {
        register(route, .anyone, exchange.endpoint) { [steps] request, context in
            let (body, _) = try await steps.json(Body.self, of: request)
            let answer = try await handler(OpenCall(body: body, request: request, context: context))
            return try Reply(answer).stored(status: exchange.status).response
        }
    }

    /// A catalogue answer, encoded once per snapshot and request URI.
    func cached<Answer: Encodable>(
        _ route: String, _ exchange: Exchange<NoBody, Answer>,
        _ handler: @escaping @Sendable (OpenCall<Void>, CatalogSnapshot) throws -> Answer
    ) {
        open(route, exchange.endpoint) { [answers, digests = steps.digests] call in
            try await answers.response(to: call.request) { snapshot in
                try PublicAnswer(handler(call, snapshot), digests: digests)
            }
        }
    }

    // MARK: For principals

    /// One read transaction.
    func read<Answer: Encodable & Sendable>(
        _ route: String, _ access: Access, _ exchange: Exchange<NoBody, Answer>,
        _ handler: @escaping @Sendable (Call<Void>, any ShopRepositories) throws -> Reply<Answer>
    ) {
        register(route, access, exchange) { [steps] request, context, principal in
            let call = Call(body: (), principal: principal, key: nil, request: request, context: context)
            let reply = try await steps.store.read { repositories in
                try principal.checkSession(in: repositories)
                return try handler(call, repositories)
            }
            return try reply.stored(status: exchange.status).response
        }
    }

    /// One write transaction, which includes the idempotency record.
    ///
    /// - Parameter afterwards: called after the commit.
    func write<Body: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ route: String, _ access: Access, _ exchange: Exchange<Body, Answer>, isolation: Isolation = .serializable,
        afterwards: @escaping @Sendable () async -> Void = {},
        _ handler: @escaping @Sendable (Call<Body>, any ShopRepositories) throws -> Reply<Answer>
    ) {
        register(route, access, exchange) { [steps] request, context, principal in
            let call = try await steps.call(Body.self, request, context, principal)
            let response = try await steps.transact(exchange, call, isolation, hasEffect: true, handler)
            await afterwards()
            return response
        }
    }

    func write<Answer: Encodable & Sendable>(
        _ route: String, _ access: Access, _ exchange: Exchange<NoBody, Answer>,
        isolation: Isolation = .serializable,
        _ handler: @escaping @Sendable (Call<Void>, any ShopRepositories) throws -> Reply<Answer>
    ) {
        register(route, access, exchange) { [steps] request, context, principal in
            let call = try await steps.call(request, context, principal)
            return try await steps.transact(exchange, call, isolation, hasEffect: true, handler)
        }
    }

    /// A read that takes a body: one read transaction, or one write transaction for the idempotency record if the
    /// request has a key.
    func evaluate<Body: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ route: String, _ access: Access, _ exchange: Exchange<Body, Answer>,
        _ handler: @escaping @Sendable (Call<Body>, any ShopRepositories) throws -> Reply<Answer>
    ) {
        register(route, access, exchange) { [steps] request, context, principal in
            let call = try await steps.call(Body.self, request, context, principal)
            return try await steps.transact(exchange, call, .serializable, hasEffect: false, handler)
        }
    }

    /// One write transaction and no content in the answer.
    func delete(
        _ route: String, _ access: Access, _ exchange: Exchange<NoBody, NoContent>,
        _ handler: @escaping @Sendable (Call<Void>, any ShopRepositories) throws -> Void
    ) {
        perform(route, access, exchange) { [steps] call in
            try await steps.store.write { repositories in
                try call.principal.checkSession(in: repositories)
                try handler(call, repositories)
            }
            return .noContent
        }
    }

    /// A handler with transactions and an idempotency record of its own.
    func perform<Body: Decodable & Sendable, Answer>(
        _ route: String, _ access: Access, _ exchange: Exchange<Body, Answer>,
        _ handler: @escaping @Sendable (Call<Body>) async throws -> Response
    ) {
        register(route, access, exchange) { [steps] request, context, principal in
            try await handler(try await steps.call(Body.self, request, context, principal))
        }
    }

    func perform<Answer>(
        _ route: String, _ access: Access, _ exchange: Exchange<NoBody, Answer>,
        _ handler: @escaping @Sendable (Call<Void>) async throws -> Response
    ) {
        register(route, access, exchange) { [steps] request, context, principal in
            try await handler(try await steps.call(request, context, principal))
        }
    }

    /// As `perform`, for a body that is read or written in pieces; the call has no idempotency key.
    func stream<Body, Answer>(
        _ route: String, _ access: Access, _ exchange: Exchange<Body, Answer>,
        _ handler: @escaping @Sendable (Call<Void>) async throws -> Response
    ) {
        register(route, access, exchange) { [steps] request, context, principal in
            try await steps.store.read { try principal.checkSession(in: $0) }
            return try await handler(
                Call(body: (), principal: principal, key: nil, request: request, context: context))
        }
    }

    // MARK: Registration

    /// A route for principals. Changes by administrators are logged with the administrator's id.
    private func register(
        _ route: String, _ access: Access, _ exchange: any AnyExchange,
        _ handler: @escaping @Sendable (Request, PouchRequestContext, Principal) async throws -> Response
    ) {
        let endpoint = exchange.endpoint
        register(route, access, endpoint) { [steps] request, context in
            let principal = try await steps.authenticator.principal(request.headers, for: endpoint.access)
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
        _ route: String, _ access: Access, _ endpoint: Endpoint,
        _ handler: @escaping @Sendable (Request, PouchRequestContext) async throws -> Response
    ) {
        let contract = "\(endpoint.method.rawValue) \(endpoint.template)"
        precondition(
            route == contract && access == endpoint.access,
            "The contract has \(contract) for \(endpoint.access), the routes have \(route) for \(access).")
        router.on(RouterPath(endpoint.template), method: .init(endpoint.method), use: handler)
    }
}

extension RouterPath {
    fileprivate init(_ template: PathTemplate) {
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
    fileprivate init(_ verb: HTTPVerb) {
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
