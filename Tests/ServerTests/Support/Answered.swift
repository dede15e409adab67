import HTTPTypes
import ServerTesting
import Testing

/// A response of the server, and the exchange of the contract that it has to follow.
struct Answered<Value>: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: Data
    /// The exchange of the request; nil for a request that the contract does not have.
    let exchange: (any AnyExchange)?

    init(_ response: RawAnswer, to exchange: (any AnyExchange)? = nil) {
        status = response.status
        headers = response.headers
        body = response.body
        self.exchange = exchange
    }

    /// The status of success.
    private var expected: Int? { exchange?.status }

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    var etag: String? { header(HeaderName.etag) }
    /// "true" if the response is that of an earlier request with the key.
    var replayed: String? { header(HeaderName.idempotentReplayed) }
}

extension Answered where Value: JSONCodable {
    /// The value of a successful response, after checks of its status and headers.
    @discardableResult
    func good(_ sourceLocation: SourceLocation = #_sourceLocation) throws -> Value {
        try #require(status == expected, "\(status) \(text)", sourceLocation: sourceLocation)
        #expect(header("Content-Type") == "application/json", sourceLocation: sourceLocation)
        #expect(header(HeaderName.requestId)?.isEmpty == false, sourceLocation: sourceLocation)
        return try Value(json: body)
    }
}

extension Answered where Value == NoContent {
    func good(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        try #require(status == expected, "\(status) \(text)", sourceLocation: sourceLocation)
        #expect(body.isEmpty, sourceLocation: sourceLocation)
        #expect(header(HeaderName.requestId)?.isEmpty == false, sourceLocation: sourceLocation)
    }
}

extension Answered {
    /// The problem of an error response, after checks of everything that the contract says about problems.
    @discardableResult
    func problem(_ code: ProblemCode, _ sourceLocation: SourceLocation = #_sourceLocation) throws -> ProblemDetails {
        try #require(status >= 400, "\(status) \(text)", sourceLocation: sourceLocation)
        let details = try ProblemDetails(json: body)
        let problem = details.problem
        try #require(problem.code == code, "\(text)", sourceLocation: sourceLocation)
        #expect(ProblemCode.all.contains(code), sourceLocation: sourceLocation)
        #expect(status == code.status && problem.status == code.status, sourceLocation: sourceLocation)
        #expect(problem.title == code.title, sourceLocation: sourceLocation)
        #expect(header("Content-Type") == Problem.mediaType, sourceLocation: sourceLocation)
        let requestId = header(HeaderName.requestId)
        #expect(requestId?.isEmpty == false, sourceLocation: sourceLocation)
        // The stored response of a declined payment is replayed for its key, so it cannot name one request.
        #expect(code == .paymentDeclined || problem.requestId == requestId, sourceLocation: sourceLocation)
        let hasShouldRetry = [409, 429].contains(status) || status >= 500
        #expect(
            header(HeaderName.shouldRetry) == (hasShouldRetry ? String(code.shouldRetry) : nil),
            sourceLocation: sourceLocation)
        #expect((header("WWW-Authenticate") != nil) == (status == 401), sourceLocation: sourceLocation)
        if let exchange, code != .methodNotAllowed {
            #expect(
                exchange.problemCodes.contains(code), "\(exchange.endpoint.name) does not announce \(code).",
                sourceLocation: sourceLocation)
        }
        expectNoLeak(sourceLocation)
        return details
    }

    /// The fields that the response names as invalid.
    func invalidFields(_ sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        try problem(.validationFailed, sourceLocation).problem.errors?.map(\.field) ?? []
    }

    /// Checks that the body does not reveal the server's internals.
    func expectNoLeak(_ sourceLocation: SourceLocation = #_sourceLocation) {
        for word in [
            "SQL", "SELECT", "INSERT", "GRDB", "sqlite", "Pouch", "Swift", "DecodingError", "Request>", ".swift",
            "/tmp/", "/Sources/", "Optional(", "CodingKeys", "Foundation",
        ] {
            #expect(!text.contains(word), "\(text)", sourceLocation: sourceLocation)
        }
    }
}
