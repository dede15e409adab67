import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchNetwork
import PouchWire

/// A request to a test shop.
struct TestCall {
    let endpoint: Endpoint
    /// The access token; nil without one.
    let token: String?
    /// The session of the token; nil without one, and for a session that has ended.
    fileprivate(set) var session: UserSession?
    /// The value of the path's parameter; empty without one.
    let parameter: String
    let request: NetworkRequest

    init(_ request: NetworkRequest, to endpoint: Endpoint) {
        self.endpoint = endpoint
        self.request = request
        token = request.accessToken
        let pieces = request.url.path(percentEncoded: true).split(separator: "/")
            .map { $0.removingPercentEncoding ?? String($0) }
        let index = endpoint.template.segments.firstIndex { if case .literal = $0 { false } else { true } }
        let count = endpoint == Contract.asset.endpoint ? Int.max : 1
        parameter = index.map { pieces[$0...].prefix(count).joined(separator: "/") } ?? ""
    }

    /// The account, or the guest's session; empty without a session.
    var owner: String { session?.owner ?? "" }

    fileprivate var exchange: (any AnyExchange)? { Contract.all.first { $0.endpoint == endpoint } }

    /// - Throws: a refusal of a field that is missing, unknown or of a wrong type, as on the server.
    func body<Body: JSONCodable>(_ exchange: Exchange<Body, some Any>) throws(Refusal) -> Body {
        do throws(JSONError) {
            return try Body(json: request.body ?? Data(), .request)
        } catch {
            guard case .fields = error else { throw Refusal(error.code) }
            throw Refusal(error.fieldProblems, error.code)
        }
    }

    /// - Parameter currency: the shop's, for a query with prices.
    /// - Throws: a refusal of a parameter that is unknown, repeated, or has a wrong value, as on the server.
    func query<Query: QueryType>(_ type: Query.Type, currency: Currency? = nil) throws(Refusal) -> Query {
        guard let query = QueryString(parsing: request.url.query(percentEncoded: true) ?? "") else {
            throw Refusal(.invalidQuery)
        }
        do throws(QueryProblem) {
            return try Query(query, currency: currency)
        } catch {
            throw Refusal(.invalidQuery, detail: error.detail)
        }
    }

    /// A page of a list.
    ///
    /// - Parameters:
    ///   - page: the size of the page, and the cursor.
    ///   - most: the maximum number of items in a page.
    ///   - id: returns a unique value for each item. A cursor is the value of a page's last item.
    func page<Item: JSONCodable>(
        of items: [Item], _ page: PageQuery, most: Int = .max, by id: (Item) -> String
    ) throws(Refusal) -> NetworkResponse {
        func cursor(_ item: Item) -> String { Data((endpoint.name + " " + id(item)).utf8).base64URL }
        var rest = items[...]
        if let wanted = page.cursor {
            guard let last = items.firstIndex(where: { cursor($0) == wanted }) else { throw Refusal(.invalidCursor) }
            rest = items[(last + 1)...]
        }
        let found = rest.prefix(min(page.limit ?? Limits.defaultPageSize, most))
        return .json(Page(items: Array(found), nextCursor: found.count < rest.count ? found.last.map(cursor) : nil))
    }
}

/// A refusal of a request, which changes nothing.
struct Refusal: Error {
    let answer: NetworkResponse

    init(
        _ code: ProblemCode, detail: String? = nil, _ details: (Problem) -> ProblemDetails = { ProblemDetails($0) }
    ) {
        answer = .problem(code, detail: detail, details)
    }

    init(_ field: String, _ code: String, _ detail: String) {
        self.init([FieldProblem(field: field, code: code, detail: detail)])
    }

    init(_ problems: [FieldProblem], _ code: ProblemCode = .validationFailed) {
        let detail = problems.map(\.detail).joined(separator: " ")
        self.init(code, detail: detail) { problem in
            ProblemDetails(
                Problem(code, detail: problem.detail, requestId: problem.requestId, errors: problems))
        }
    }
}

extension TestShop.World {
    /// An answer to a request with an idempotency key.
    struct Kept: Sendable {
        let request: NetworkRequest
        let answer: NetworkResponse

        /// Whether another request is the same.
        fileprivate func answers(_ other: NetworkRequest) -> Bool {
            request.method == other.method && request.url == other.url && request.body == other.body
        }
    }

    /// The answer to a request; the earlier one for a used key. nil for an endpoint that a test shop does not have.
    mutating func answer(to call: TestCall) -> NetworkResponse? {
        do throws(Refusal) {
            var call = call
            call.session = call.token.flatMap(session)
            try check(call)
            var next = self
            let answer = try next.answerOnce(call)
            self = next
            return answer
        } catch {
            return error.answer
        }
    }

    private func check(_ call: TestCall) throws(Refusal) {
        let access = call.endpoint.access
        guard access != .anyone else { return }
        guard let session = call.session else { throw Refusal(.unauthenticated) }
        if access == .customer, session.kind == .guest {
            throw Refusal(.forbidden, detail: "This requires an account. Guests must sign in or sign up first.")
        }
        if let permission = access.permission {
            let role = session.kind == .admin ? roles[session.owner] ?? .owner : nil
            guard let role else {
                throw Refusal(.forbidden, detail: "Only staff with the permission \(permission.rawValue) may do this.")
            }
            guard role.permissions.contains(permission) else {
                let missing = "Your role (\(role.title)) does not have the permission \(permission.rawValue)."
                throw Refusal(.forbidden, detail: "\(missing) Ask an owner for it.")
            }
        }
        if asksForPasswords, call.exchange?.features.contains(.freshSignIn) == true {
            guard let token = call.token, confirmedTokens.contains(token) else { throw Refusal(.freshSignInRequired) }
        }
    }

    private mutating func answerOnce(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        guard call.endpoint.method == .post, call.endpoint.access != .anyone,
            let key = call.request.headers[HeaderName.idempotencyKey]
        else {
            if call.exchange?.features.contains(.keyRequired) == true { throw Refusal(.idempotencyKeyRequired) }
            return try answer(call)
        }
        if let kept = kept[call.owner]?[key] {
            guard kept.answers(call.request) else { throw Refusal(.idempotencyKeyReused) }
            return kept.answer
        }
        let answer = try answer(call)
        if let answer { kept[call.owner, default: [:]][key] = Kept(request: call.request, answer: answer) }
        return answer
    }

    private mutating func answer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        switch call.endpoint {
        case Contract.healthLive: return .json(Health(.live))
        case Contract.healthReady: return .json(Health(.ready))
        default: break
        }
        if let answer = try catalogAnswer(call) { return answer }
        if let answer = try accountAnswer(call) { return answer }
        if let answer = try cartAnswer(call) { return answer }
        if let answer = try orderAnswer(call) { return answer }
        return try rideAnswer(call)
    }

    /// A new id, such as `ord_1`, unique among all earlier ones of its kind.
    ///
    /// - Parameter known: ids of the kind, some of which a test may have created.
    mutating func newId(_ kind: String, besides known: [String]) -> String {
        var number = counts[kind] ?? 0
        repeat { number += 1 } while known.contains(kind + String(number))
        counts[kind] = number
        return kind + String(number)
    }
}

extension NetworkRequest {
    /// The access token, which has a separate header if there are credentials for a proxy.
    fileprivate var accessToken: String? {
        if let token = headers[HeaderName.accessToken] { return token }
        let words = headers[HeaderName.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }
}

extension UserSession {
    /// The account, or the guest's session.
    var owner: String { profile?.id ?? id }
}

// MARK: - Answers

extension NetworkResponse {
    /// A successful answer with a value of the contract.
    public static func json(_ value: some JSONCodable, status: Int = 200, headers: HeaderFields = [:])
        -> NetworkResponse
    {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return NetworkResponse(status: status, headers: headers, data: (try? value.json()) ?? Data())
    }

    /// A refusal, as the server sends it.
    ///
    /// - Parameters:
    ///   - code: the kind of refusal, which determines the SDK's text.
    ///   - detail: a sentence that is shown if the SDK has no text for the code.
    ///   - details: adds facts to the problem, such as the units left in stock.
    public static func problem(
        _ code: ProblemCode, detail: String? = nil, _ details: (Problem) -> ProblemDetails = { ProblemDetails($0) }
    ) -> NetworkResponse {
        let problem = Problem(code, detail: detail ?? "what happened", requestId: "req-1")
        return .json(details(problem), status: problem.status, headers: ["Request-Id": "req-1"])
    }
}
