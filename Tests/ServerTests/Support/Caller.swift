import HTTPTypes
import HummingbirdTesting
import ServerTesting
import Testing

/// A client that sends requests to a shop, with the access token of its session if it has one.
struct Caller: Sendable {
    let transport: Transport
    var session: UserSession?

    init(transport: Transport, session: UserSession? = nil) {
        self.transport = transport
        self.session = session
    }

    /// Sends a request of the contract.
    func call<Body: JSONCodable, Answer>(
        _ exchange: Exchange<Body, Answer>, _ body: Body, path: [String: String] = [:], query: String = "",
        headers: [String: String] = [:]
    ) async throws -> Answered<Answer> {
        try await send(exchange, try body.json(), path: path, query: query, headers: headers)
    }

    func call<Input, Answer>(
        _ exchange: Exchange<Input, Answer>, path: [String: String] = [:], query: String = "",
        headers: [String: String] = [:]
    ) async throws -> Answered<Answer> { try await send(exchange, nil, path: path, query: query, headers: headers) }

    private func send<Body, Answer>(
        _ exchange: Exchange<Body, Answer>, _ body: Data?, path: [String: String], query: String,
        headers: [String: String]
    ) async throws -> Answered<Answer> {
        let uri = exchange.endpoint.template.path(path) + (query.isEmpty ? "" : "?" + query)
        let response = try await execute(exchange.endpoint.method.rawValue, uri, body: body, headers: headers)
        return Answered(response, to: exchange)
    }

    /// Sends any request, also one that the contract does not have.
    func send(
        _ method: String, _ uri: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answered<Void> {
        try await send(method, uri, bytes: body.map { Data($0.utf8) }, headers: headers)
    }

    func send(
        _ method: String, _ uri: String, bytes: Data?, headers: [String: String] = [:]
    ) async throws -> Answered<Void> {
        Answered(try await execute(method, uri, body: bytes, headers: headers), to: Contract.exchange(method, uri))
    }

    private func execute(
        _ method: String, _ uri: String, body: Data?, headers: [String: String]
    ) async throws -> RawAnswer {
        var fields = HTTPFields()
        if body != nil { fields[.contentType] = "application/json" }
        if let session { fields[.authorization] = "Bearer " + session.remoteSession.accessToken }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return try await transport(HTTPRequest.Method(method) ?? .get, uri, fields, body)
    }
}

/// A server that callers can reach.
protocol Addressable {
    var transport: Transport { get }
}

extension TestShop: Addressable {
    var transport: Transport { .client(client) }
}

extension Transport: Addressable {
    var transport: Transport { self }
}

extension Addressable {
    /// A caller without a token.
    var anyone: Caller { Caller(transport: transport) }

    func caller(_ session: UserSession) -> Caller { Caller(transport: transport, session: session) }

    func guest() async throws -> Caller { caller(try await anyone.call(Contract.startGuestSession).good()) }

    /// A customer who has just signed up.
    func customer(_ email: String = "ada@example.com") async throws -> Caller { try await anyone.signedUp(email) }

    func signIn(_ email: String = "ada@example.com", password: String = .password) async throws -> Caller {
        caller(try await anyone.signIn(email, password: password).good())
    }
}

extension SignUpRequest {
    static func sample(_ email: String = "ada@example.com") -> SignUpRequest {
        SignUpRequest(name: "Ada", email: email, mobileNumber: "+49 30 1234567", password: .password)
    }
}

extension String {
    static let password = "correct horse"
}

extension Contract {
    /// The exchange of a request; nil for a request that the contract does not have.
    static func exchange(_ method: String, _ uri: String) -> (any AnyExchange)? {
        let verb = method == "HEAD" ? "GET" : method
        let endpoint = Endpoint.at(uri.prefix { $0 != "?" }).first { $0.method.rawValue == verb }
        return all.first { $0.endpoint == endpoint }
    }
}

extension Caller {
    /// Reads all pages of a list, from cursor to cursor.
    func pages<Item: JSONCodable>(
        _ exchange: Exchange<some QueryType, Page<Item>>, limit: Int, query: String = ""
    ) async throws -> [[Item]] {
        var pages: [[Item]] = []
        var cursor: String?
        repeat {
            let parts = [query, "limit=\(limit)", cursor.map { "cursor=" + $0 } ?? ""].filter { !$0.isEmpty }
            let page = try await call(exchange, query: parts.joined(separator: "&")).good()
            pages.append(page.items)
            cursor = page.nextCursor
        } while cursor != nil && pages.count < 1_000
        return pages
    }
}
