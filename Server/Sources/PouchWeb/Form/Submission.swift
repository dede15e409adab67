import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchHTTP
import PouchJSON
import PouchWire

/// A form that a visitor has submitted and that may take effect.
struct Submission: Sendable {
    var visit: Visit
    var site: Site { visit.site }
    var form: FormBody { visit.form ?? FormBody([]) }

    /// The submission with the visitor's session, if one is active. For forms that do not require a session.
    func withSession() async throws -> Submission {
        var submission = self
        submission.visit = try await Visits(site: visit.site).admitted(visit, to: .guestOrCustomer)
        return submission
    }

    /// The JSON that the fields represent.
    var json: JSON { form.json(currency: visit.site.shop.currency, timeZone: visit.site.shop.timeZone) }

    /// Performs the form's effect with an API request, including the checks and limits of that request, and returns its
    /// answer.
    ///
    /// The idempotency key is derived from the form's key, its address and all its fields: a form that is submitted
    /// twice takes effect once, and a form that was changed after going back is a new request. The form's field
    /// `version` becomes `If-Match`.
    ///
    /// - Parameters:
    ///   - body: the body; by default, the JSON of the fields. Omitted if the request has no body.
    ///   - parameters: the parameters of the API path; by default, those of the form's path with the same names.
    ///   - change: changes the headers.
    /// - Throws: `RequestProblem`, and the errors of the layers below.
    func send<Input, Answer: JSONCodable>(
        _ exchange: Exchange<Input, Answer>, _ body: (any JSONCodable)? = nil, parameters: [String: String]? = nil,
        headers change: (inout HTTPFields) -> Void = { _ in }
    ) async throws -> Answer {
        try Answer(json: try await perform(exchange, body, parameters: parameters, headers: change).body)
    }

    /// Like `send`, for a request without an answer, or whose answer is not decoded.
    @discardableResult
    func perform(
        _ exchange: any AnyExchange, _ body: (any JSONCodable)? = nil, parameters: [String: String]? = nil,
        headers change: (inout HTTPFields) -> Void = { _ in }
    ) async throws -> APIAnswer {
        let bytes = exchange.bodyType == nil ? Data() : try (body ?? json).json()
        let response = try await response(to: exchange, .init(buffer: ByteBuffer(bytes: bytes)), parameters) {
            $0[.contentType] = "application/json"
            change(&$0)
        }
        return try await APIAnswer(response)
    }

    /// Performs a request with the version that it has read, and again while another request has changed that version.
    func repeatingConflicts<Answer>(_ request: () async throws -> Answer) async throws -> Answer {
        for _ in 1..<10 {
            do { return try await request() } catch {
                guard RequestProblem(error)?.code == .versionConflict else { throw error }
            }
        }
        return try await request()
    }

    /// Like `send`, for a request whose body is a file.
    func upload<Answer: JSONCodable>(
        _ exchange: Exchange<RawBytes, Answer>, _ file: RequestBody, query: QueryString = QueryString(),
        headers change: (inout HTTPFields) -> Void
    ) async throws -> Answer {
        let response = try await response(to: exchange, file, query: query, headers: change)
        return try Answer(json: try await APIAnswer(response).body)
    }

    /// The response to a request, whose body is not read, since it may be long. Its status may be an error.
    func response(
        to exchange: any AnyExchange, _ body: RequestBody = .init(buffer: ByteBuffer()),
        _ parameters: [String: String]? = nil, query: QueryString = QueryString(),
        headers change: (inout HTTPFields) -> Void = { _ in }
    ) async throws -> Response {
        let endpoint = exchange.endpoint
        guard let action = visit.site.actions[endpoint],
            let method = HTTPRequest.Method(rawValue: endpoint.method.rawValue)
        else { throw RequestProblem(.notFound) }
        var context = visit.context
        var values: [String: String] = [:]
        for name in endpoint.template.parameters {
            let value = try parameters?[name] ?? visit.parameter(name)
            values[name] = value
        }
        let path = endpoint.template.path(values)
        for (name, segment) in zip(endpoint.template.segments, path.split(separator: "/")).compactMap({ segment, text in
            if case .parameter(let name) = segment { (name, text) } else { nil }
        }) {
            context.coreContext.parameters[name[...]] = segment
        }
        var headers: HTTPFields = [:]
        headers[.userAgent] = visit.request.headers[.userAgent]
        if let session = visit.session { headers[.authorization] = "Bearer " + session.accessToken }
        if exchange.acceptsKey, let digest = digest(doing: endpoint.name, path) {
            headers[.idempotencyKey] = digest.base64URL
        }
        if exchange.acceptsIfMatch, let version = form["version"] { headers[.ifMatch] = "\"\(version)\"" }
        change(&headers)
        let head = HTTPRequest(
            method: method, scheme: visit.request.head.scheme, authority: visit.request.head.authority,
            path: path + (query.items.isEmpty ? "" : "?" + query.encoded), headerFields: headers)
        return try await action(Request(head: head, body: body), context)
    }

    /// Whether a request of the form, including an earlier submission of it, is still running.
    ///
    /// - Parameter exchange: the request, without parameters in its path.
    func isRunning(_ exchange: any AnyExchange) async throws -> Bool {
        let endpoint = exchange.endpoint
        guard let digest = digest(doing: endpoint.name, endpoint.template.path()) else { return false }
        return try await visit.read { principal, repositories in
            let record = try repositories.idempotency.record(ownerId: principal.ownerId, key: digest.base64URL)
            return record.map { $0.answer == nil } ?? false
        }
    }

    /// Performs an effect unless the form was sent before. For effects whose response contains a secret, so it must not
    /// be stored.
    ///
    /// The key is stored before the effect, and deleted if it fails, so the form can be corrected or sent again.
    ///
    /// - Returns: the outcome; nil if the form was sent before.
    func once<Answer>(_ effect: () async throws -> Answer) async throws -> Answer? {
        guard let digest = digest(doing: visit.path) else { return try await effect() }
        let request = IdempotencyRecord.Request(
            ownerId: try visit.principal.ownerId, key: digest.base64URL, fingerprint: digest)
        let idempotency = Idempotency(time: visit.site.environment.time)
        let isFirst = try await visit.site.services.store.write { repositories in
            guard try idempotency.begin(request, in: repositories) == nil else { return false }
            let nothing = StoredAnswer(code: 204, format: "", tag: nil, body: Data())
            try idempotency.complete(request, answer: nothing, in: repositories)
            return true
        }
        guard isFirst else { return nil }
        do {
            return try await effect()
        } catch {
            try await visit.site.services.store.write { repositories in
                try repositories.idempotency.delete(ownerId: request.ownerId, key: request.key)
            }
            throw error
        }
    }

    /// A digest of the form's key, its effect and all its fields; nil for a form without a key.
    private func digest(doing effect: String...) -> Data? {
        guard let key = form["key"] else { return nil }
        let parts = [key] + effect + form.fields.flatMap { [$0.name, $0.value] }
        // The lengths tell where each part ends, since a value can contain any character.
        return visit.site.environment.digests.sha256(Data(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8))
    }
}

/// A successful answer of the API.
struct APIAnswer {
    let body: Data
    /// The version of the answer's object, for the field `version` of a later form; nil if it has none.
    let version: String?

    /// - Throws: the `RequestProblem` of an unsuccessful response.
    fileprivate init(_ response: Response) async throws {
        body = try await BodyCollector.data(of: response)
        version = response.headers[.eTag].map { String($0.dropFirst().dropLast()) }
        guard response.status.kind == .successful else { throw RequestProblem(answered: body) }
    }
}

extension RequestProblem {
    /// Creates the problem of a response that was stored for its idempotency key, such as for a declined card.
    fileprivate init(answered body: Data) {
        guard let details = try? ProblemDetails(json: body) else {
            self.init(.internalError)
            return
        }
        self.init(details.problem.code, details.problem.detail, details.problem.errors)
        declineCode = details.declineCode
        lines = details.lines
        changes = details.changes
    }
}

/// Collects the body of a response in memory. Responses to forms are short.
private final class BodyCollector: ResponseBodyWriter {
    private var buffer = ByteBuffer()

    static func data(of response: Response) async throws -> Data {
        let collector = BodyCollector()
        try await response.body.write(collector)
        return Data(collector.buffer.readableBytesView)
    }

    func write(_ buffer: ByteBuffer) async throws { self.buffer.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
