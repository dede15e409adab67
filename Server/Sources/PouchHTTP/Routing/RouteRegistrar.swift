import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchTelemetry
import PouchWire

/// Creates the routes of `ShopRouter` from their exchanges.
package final class RouteRegistrar {
    let router: Router<PouchRequestContext>
    let steps: RouteSteps
    let answers: CatalogAnswers<PublicAnswer>
    let meters: RequestMeters
    package let pages: ListPager
    /// The shop's currency, for queries with prices.
    private let currency: Currency
    /// The routes so far.
    private(set) var table: RouteTable = [:]

    init(
        router: Router<PouchRequestContext>, steps: RouteSteps, answers: CatalogAnswers<PublicAnswer>,
        meters: RequestMeters, pages: ListPager, currency: Currency
    ) {
        self.router = router
        self.steps = steps
        self.answers = answers
        self.meters = meters
        self.pages = pages
        self.currency = currency
    }

    package func callAsFunction<Body: JSONCodable, Answer>(_ exchange: Exchange<Body, Answer>) -> Route<Body, Answer> {
        let read: @Sendable (Request) async throws -> (Body, Data) = { [steps] in
            try await steps.json(Body.self, of: $0, isOptional: exchange.features.contains(.bodyOptional))
        }
        return Route(registrar: self, exchange: exchange, input: { try await read($0).0 }, inputAndBytes: read)
    }

    package func callAsFunction<Query: QueryType, Answer>(_ exchange: Exchange<Query, Answer>) -> Route<Query, Answer> {
        let read: @Sendable (Request) throws -> Query = { [currency] in
            try $0.query(Query.self, currency: currency)
        }
        return Route(
            registrar: self, exchange: exchange, input: read,
            inputAndBytes: { [bytes] in (try read($0), try await bytes($0).1) })
    }

    /// A route without input. Bytes that are sent anyway count for the idempotency key.
    package func callAsFunction<Answer>(_ exchange: Exchange<NoInput, Answer>) -> Route<Void, Answer> {
        Route(registrar: self, exchange: exchange, input: { _ in }, inputAndBytes: bytes)
    }

    /// A route whose handler reads the body itself.
    package func callAsFunction<Answer>(_ exchange: Exchange<RawBytes, Answer>) -> Route<Void, Answer> {
        Route(registrar: self, exchange: exchange, input: { _ in }, inputAndBytes: bytes)
    }

    private var bytes: @Sendable (Request) async throws -> (Void, Data) {
        { [steps] in ((), try await steps.bytes(of: $0)) }
    }

    fileprivate func add(_ handler: @escaping RouteHandler, for endpoint: Endpoint) {
        guard let method = HTTPRequest.Method(rawValue: endpoint.method.rawValue) else {
            preconditionFailure("\(endpoint.method) is not an HTTP method")
        }
        table[endpoint] = handler
        router.on(RouterPath(endpoint.template), method: method, use: handler)
    }
}

/// A route whose handler is set by one of its methods.
package struct Route<Input: Sendable, Answer> {
    fileprivate let registrar: RouteRegistrar
    fileprivate let exchange: any AnyExchange
    fileprivate let input: @Sendable (Request) async throws -> Input
    /// The input, and the body for the fingerprint of the idempotency key.
    fileprivate let inputAndBytes: @Sendable (Request) async throws -> (Input, Data)

    private var steps: RouteSteps { registrar.steps }

    // MARK: For everyone

    package func open(
        _ handler: @escaping @Sendable (OpenCall<Input>) async throws -> Answer
    ) where Answer: JSONCodable {
        serve { [status = exchange.status] in try Reply(try await handler($0)).stored(status: status).response }
    }

    /// The same for an answer without content.
    func open(_ handler: @escaping @Sendable (OpenCall<Input>) async throws -> Void) where Answer == NoContent {
        serve { [status = exchange.status] call -> Response in
            try await handler(call)
            return .empty(status)
        }
    }

    /// A catalogue answer, encoded once for each request URI until its source data changes.
    func cached(
        _ handler: @escaping @Sendable (OpenCall<Input>, CatalogReading) throws -> Answer
    ) where Answer: JSONCodable {
        let meter = registrar.meters[exchange.endpoint.name].ready
        serve { [answers = registrar.answers, digests = steps.digests] call in
            try await answers.response(to: call.request) {
                try PublicAnswer(handler(call, $0), digests: digests, meter: meter)
            }
        }
    }

    /// A handler that creates the whole response.
    package func serve(_ handler: @escaping @Sendable (OpenCall<Input>) async throws -> Response) {
        register { [input] request, context in
            try await handler(OpenCall(input: try await input(request), request: request, context: context))
        }
    }

    // MARK: For principals

    /// A handler in one read transaction.
    package func read(_ handler: @escaping RouteSteps.Handler<Input, Reply<Answer>>) where Answer: JSONCodable {
        read(handler) { [status = exchange.status] in try $0.stored(status: status).response }
    }

    /// The same for an answer without an ETag.
    package func read(_ handler: @escaping RouteSteps.Handler<Input, Answer>) where Answer: JSONCodable {
        read(handler) { [status = exchange.status] in try Reply($0).stored(status: status).response }
    }

    /// A page of a stored list, in one read transaction.
    ///
    /// - Parameters:
    ///   - list: the name of the list. A cursor is valid for one list only.
    ///   - key: the position of an item. The next page begins after it.
    ///   - items: reads items after a position, up to a limit.
    package func list<Item>(
        _ list: String, by key: @escaping @Sendable (Item) -> String,
        _ items:
            @escaping @Sendable (
                Call<Input>, (after: String?, limit: Int), any ShopRepositories
            ) throws -> [Item]
    ) where Input: PagedQuery, Answer == Page<Item>, Answer: JSONCodable {
        read { [pages = registrar.pages] call, repositories -> Page<Item> in
            try pages.page(list: list, call.input.page, key: key) { try items(call, ($0, $1), repositories) }
        }
    }

    /// - Parameter response: encodes the value, after the transaction.
    func read<Value: Sendable>(
        _ handler: @escaping RouteSteps.Handler<Input, Value>,
        response: @escaping @Sendable (Value) throws -> Response
    ) {
        authenticate { [steps, input] request, context, principal in
            let call = Call(
                input: try await input(request), bytes: Data(), principal: principal, key: nil, request: request,
                context: context)
            let value = try await steps.store.read(for: principal) { try handler(call, $0) }
            return (try response(value), Data())
        }
    }

    /// A handler in one write transaction, which includes the idempotency record.
    ///
    /// - Parameter repeating: answers a repeated request from the current state; by default each answer is stored and
    ///   sent again.
    package func write(
        isolation: Isolation = .serializable, repeating: RouteSteps.Handler<Input, Reply<Answer>>? = nil,
        _ handler: @escaping RouteSteps.Handler<Input, Reply<Answer>>
    ) where Answer: JSONCodable {
        perform { [steps, exchange] call -> Response in
            try await steps.transact(exchange, call, isolation, repeating: repeating, handler)
        }
    }

    /// The same for an answer without an ETag.
    package func write(
        isolation: Isolation = .serializable, _ handler: @escaping RouteSteps.Handler<Input, Answer>
    ) where Answer: JSONCodable {
        write(isolation: isolation) { call, repositories -> Reply<Answer> in Reply(try handler(call, repositories)) }
    }

    /// A handler in one write transaction, whose answer has no content.
    package func delete(
        _ handler: @escaping RouteSteps.Handler<Input, Void>
    ) where Input == Void, Answer == NoContent {
        perform { [steps] call -> Void in
            try await steps.store.write(for: call.principal) { repositories in
                try handler(call, repositories)
                try steps.record(call, in: repositories)
            }
        }
    }

    /// A handler with its own transactions and idempotency record.
    package func perform(_ handler: @escaping @Sendable (Call<Input>) async throws -> Response) {
        authenticate { [steps, inputAndBytes, acceptsKey = exchange.acceptsKey] request, context, principal in
            let (input, bytes) = try await inputAndBytes(request)
            let key = acceptsKey ? try steps.key(of: request, bytes, principal) : nil
            let call = Call(
                input: input, bytes: bytes, principal: principal, key: key, request: request, context: context)
            return (try await handler(call), bytes)
        }
    }

    /// The same for an answer without content.
    func perform(_ handler: @escaping @Sendable (Call<Input>) async throws -> Void) where Answer == NoContent {
        perform { [status = exchange.status] call -> Response in
            try await handler(call)
            return .empty(status)
        }
    }

    /// Like `perform`, for a body that is read or written in pieces. The call has no idempotency key.
    package func stream(_ handler: @escaping @Sendable (Call<Input>) async throws -> Response) {
        authenticate { [steps, input] request, context, principal in
            let input = try await input(request)
            try await steps.store.read { try principal.checkSession(in: $0) }
            let call = Call(
                input: input, bytes: Data(), principal: principal, key: nil, request: request, context: context)
            return (try await handler(call), Data())
        }
    }

    // MARK: Registration

    /// Records changes by staff in the audit log: who made them, the values that were sent, and those that they
    /// replaced. A route that changes something has stored the entry in the transaction of its change. Exports of
    /// personal data are recorded here, before their first byte is sent; pages of lists of persons are counted.
    ///
    /// - Parameter handler: returns the response, and the part of the request's body that it has in memory.
    private func authenticate(
        _ handler: @escaping @Sendable (Request, PouchRequestContext, Principal) async throws -> (Response, Data)
    ) {
        register { [steps, exchange, endpoint = exchange.endpoint] request, context in
            let principal = try await steps.authenticator.principal(request.headers, for: exchange)
            var context = context
            if endpoint.access.isForStaff, endpoint.method != .get || exchange.exportsPersons {
                context.audit = AuditNote(request, endpoint, of: principal, in: context)
            }
            let (response, body) = try await handler(request, context, principal)
            let isReplay = response.headers[.idempotentReplayed] != nil
            if let note = context.audit, response.status.kind == .successful, !isReplay {
                if !note.isRecorded {
                    try await steps.store.write(.readCommitted) { repositories in
                        try note.record(values: body, to: steps.audit, in: repositories)
                    }
                }
                note.log(values: body, to: context.logger)
            }
            if response.status.kind == .successful {
                try await steps.audit.recordPage(
                    of: exchange, request: request, by: principal, from: context.client, in: steps.store)
            }
            return response
        }
    }

    private func register(_ handler: @escaping RouteHandler) { registrar.add(handler, for: exchange.endpoint) }
}

extension AnyExchange {
    fileprivate var exportsPersons: Bool { features.contains(.readsPersons) && answerType == RawBytes.self }
}

/// The routes of the API by endpoint, for the shop's pages: a form takes effect through the same route as an API
/// request, with its checks, its idempotency key and its audit log entry. Endpoints without a route are missing, such
/// as those of rides on a server without them.
public typealias RouteTable = [Endpoint: RouteHandler]

public typealias RouteHandler = @Sendable (Request, PouchRequestContext) async throws -> Response

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
