import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire
import ServiceLifecycle

/// The sandbox payment provider as an HTTP service.
///
/// Serves until graceful shutdown, then answers the requests that it accepted and closes its ledger.
public struct SandboxService: Service {
    public struct Configuration: Sendable {
        public var host = "127.0.0.1"
        /// 0 lets the system choose.
        public var port = 0
        /// The secret that callers must send as a bearer token; nil allows all callers.
        public var key: String?
        public var timing = SandboxProvider.Timing.standard
        /// Called with the port once the service accepts requests.
        public var onListening: @Sendable (Int) async -> Void = { _ in }

        public init() {}
    }

    private let ledger: SandboxLedger
    private let configuration: Configuration
    private let logger: Logger

    public init(ledger: SandboxLedger, configuration: Configuration, logger: Logger) {
        self.ledger = ledger
        self.configuration = configuration
        self.logger = logger
    }

    public func run() async throws {
        let onListening = configuration.onListening
        let provider = SandboxProvider(ledger: ledger, timing: configuration.timing, logger: logger)
        let application = Application(
            router: SandboxRouter.build(provider, key: configuration.key),
            server: .http1(configuration: .init(idleTimeout: .seconds(75))),
            configuration: .init(address: .hostname(configuration.host, port: configuration.port), backlog: 1_024),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        do {
            try await application.run()
        } catch {
            try? await ledger.close()
            throw error
        }
        try await ledger.close()
    }
}

/// The routes of the service. They only add HTTP to `SandboxProvider` and its ledger.
enum SandboxRouter {
    /// - Parameter key: the secret that callers must send as a bearer token; nil allows all callers.
    static func build(_ provider: SandboxProvider, key: String?) -> Router<SandboxRequestContext> {
        let ledger = provider.ledger
        let router = Router(context: SandboxRequestContext.self)
        router.add(middleware: LogRequestsMiddleware(.debug))
        router.add(middleware: SandboxMiddleware(provider: provider, key: key))
        let routes = router.group("v1")

        routes.get("ledger") { _, _ in try Response(json: LedgerHead(id: ledger.id)) }

        routes.post("charges") { request, context in
            let key = try request.idempotencyKey()
            let body = try await request.json(ChargeRequestBody.self)
            do {
                return try Response(try await provider.charge(key, body))
            } catch let error as AnswerLost {
                try await context.channel.close()
                throw error
            }
        }
        routes.get("charges") { request, _ in
            let (limit, after) = try request.page()
            return try Response(page: try await ledger.charges(after: after, limit: limit + 1), limit: limit) { $0.key }
        }
        routes.get("charges/{key}") { _, context in
            guard let charge = try await ledger.charge(try context.key()) else { throw SandboxProblem(.notFound) }
            return try Response(json: charge)
        }
        routes.post("charges/{key}/capture") { _, context in
            guard let charge = try await ledger.capture(try context.key()) else { throw SandboxProblem(.notFound) }
            guard charge.status == .captured else {
                throw SandboxProblem(.notCapturable, "The charge is \(charge.status.rawValue).")
            }
            return try Response(json: charge)
        }
        routes.post("charges/{key}/void") { _, context in
            try Response(json: try await ledger.void(try context.key()))
        }

        routes.post("refunds") { request, _ in
            let key = try request.idempotencyKey()
            return try Response(try await provider.refund(key, try await request.json(RefundRequestBody.self)))
        }
        routes.get("refunds") { request, _ in
            let (limit, after) = try request.page()
            return try Response(page: try await ledger.refunds(after: after, limit: limit + 1), limit: limit) { $0.key }
        }
        return router
    }
}

/// Refuses requests that lack the right bearer key or expect another ledger, and converts errors to problem+json
/// responses.
private struct SandboxMiddleware: RouterMiddleware {
    private let provider: SandboxProvider
    private let expectedAuthorization: Data?

    init(provider: SandboxProvider, key: String?) {
        self.provider = provider
        expectedAuthorization = key.map { Data("Bearer \($0)".utf8) }
    }

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            // The comparison takes a time that depends only on the key's length.
            if let expectedAuthorization,
                !expectedAuthorization.equalsInConstantTime(Data((request.headers[.authorization] ?? "").utf8))
            {
                throw SandboxProblem(.unauthenticated)
            }
            if let name = HTTPField.Name(LedgerHead.headerName), let id = request.headers[name] {
                try provider.checkLedger(id)
            }
            return try await next(request, context)
        } catch {
            return SandboxProblem(error, logger: context.logger).response
        }
    }
}

// MARK: - Requests and responses

struct SandboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection; closed instead of answering when an answer is lost.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The idempotency key in the path.
    ///
    /// - Throws: `SandboxProblem` if it is malformed.
    fileprivate func key() throws -> String {
        try checkedKey(parameters.get("key")?.removingPercentEncoding ?? "")
    }
}

/// - Throws: `SandboxProblem` unless the key is 1 to 255 visible ASCII characters.
private func checkedKey(_ key: String) throws -> String {
    guard Limits.idempotencyKeyLength.contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw SandboxProblem(.invalidRequest, "A key must be 1 to 255 visible ASCII characters.") }
    return key
}

extension Request {
    /// - Throws: `SandboxProblem` if the header is missing or malformed.
    fileprivate func idempotencyKey() throws -> String {
        guard let name = HTTPField.Name(HeaderName.idempotencyKey), let key = headers[name] else {
            throw SandboxProblem(.idempotencyKeyRequired)
        }
        return try checkedKey(key)
    }

    /// The body, which must not have unknown fields.
    fileprivate func json<Body: JSONCodable>(_ type: Body.Type) async throws -> Body {
        let bytes = try await body.collect(upTo: 64 << 10)
        return try Body(json: Data(bytes.readableBytesView), .request)
    }

    /// The query of a list.
    ///
    /// - Throws: `QueryProblem`, `SandboxProblem`.
    fileprivate func page() throws -> (limit: Int, after: String) {
        guard let query = QueryString(parsing: uri.query ?? "") else { throw SandboxProblem(.invalidRequest) }
        let page = try PageQuery(query)
        return (page.limit ?? Limits.defaultPageSize, page.cursor ?? "")
    }
}

extension Response {
    fileprivate init(json value: some JSONCodable, status: HTTPResponse.Status = .ok) throws {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try value.json())))
    }

    /// Creates the response for an entry; a header marks an entry that an earlier request booked.
    fileprivate init<Entry: JSONCodable>(_ booked: Booked<Entry>) throws {
        try self.init(json: booked.entry, status: .created)
        if booked.isReplay, let name = HTTPField.Name(HeaderName.idempotentReplayed) { headers[name] = "true" }
    }

    /// Creates one page. `entries` has one entry more than the limit if another page follows; the cursor is the key of
    /// the last entry on this page.
    fileprivate init<Entry: JSONCodable>(page entries: [Entry], limit: Int, key: (Entry) -> String) throws {
        let items = Array(entries.prefix(limit))
        try self.init(json: Page(items: items, nextCursor: entries.count > limit ? items.last.map(key) : nil))
    }
}
