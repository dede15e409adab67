import PouchEntities
import PouchJSON
import PouchWire

/// An endpoint with everything that is fixed about its requests and responses: types, query, headers, problems.
///
/// `Contract` lists all exchanges. The server registers each with a handler, the client's data layer encodes and
/// decodes with its types, and `/openapi.json` is made from it:
///
///     public static let setCartLine = Exchange<QuantityRequest, Cart>(
///         .setCartLine, minimal: CartSummary.self, .versioned, problems: [.unknownSKU, .outOfStock, .cartFull])
///
/// `NoBody`, `NoContent` and `RawBytes` replace a type where there is no JSON.
public struct Exchange<Body, Answer>: Sendable {
    public let endpoint: Endpoint
    /// The status of a successful response.
    public let status: Int
    public let query: (any QueryDecodable.Type)?
    public let features: ExchangeFeatures
    public let minimalAnswer: (any JSONCodable.Type)?
    public let ownProblems: [ProblemCode]

    /// - Parameters:
    ///   - query: the type that reads the query; by default `PageQuery` for a `Page`, otherwise the query is ignored.
    ///   - minimal: the response to `Prefer: return=minimal`.
    ///   - problems: the problems of this endpoint in addition to those that follow from its body, query, path, access
    ///     and features (`problemCodes`).
    init(
        _ endpoint: Endpoint, status: Int = 200, query: (any QueryDecodable.Type)? = nil,
        minimal: (any JSONCodable.Type)? = nil, _ features: ExchangeFeatures = [],
        problems: [ProblemCode] = []
    ) {
        self.endpoint = endpoint
        self.status = status
        self.query = query ?? (Answer.self is any Paged.Type ? PageQuery.self : nil)
        self.features = features
        minimalAnswer = minimal
        ownProblems = problems
    }
}

private protocol Paged {}
extension Page: Paged {}
extension ProductPage: Paged {}

/// The use of certain headers by an endpoint.
public struct ExchangeFeatures: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The response has an ETag; `If-None-Match` can give 304.
    public static let cached = Self(rawValue: 1)
    /// The response's ETag is a version; a write accepts `If-Match`.
    public static let versioned = Self(rawValue: 2)
    /// `Idempotency-Key`, which is optional for any other POST of a principal, is required.
    public static let keyRequired = Self(rawValue: 4)
    /// A guest's token is optional.
    public static let acceptsGuestToken = Self(rawValue: 8)
    /// `Range` gives 206.
    public static let ranges = Self(rawValue: 16)
    /// The response's ETag is the first version of a new resource, so the request accepts no `If-Match`.
    public static let firstVersion = Self(rawValue: 32)
    /// The POST has no effect that could happen twice, so `Idempotency-Key` is ignored.
    public static let readsOnly = Self(rawValue: 64)
    /// An empty body stands for an object without fields.
    public static let bodyOptional = Self(rawValue: 128)
    /// The password, and the second factor if there is one, must have been confirmed in the session within the last ten
    /// minutes. API keys are exempt: they have no password, and their scopes limit them.
    public static let freshSignIn = Self(rawValue: 256)
    /// The answer holds a secret that is shown once. It is never stored, so `Idempotency-Key` is ignored.
    public static let secretAnswer = Self(rawValue: 512)
    /// A write accepts `If-Match` with the version of what its path names. Its answer is something else, so that the
    /// response has no ETag.
    public static let conditional = Self(rawValue: 1024)
    /// The answer has the data of many persons. An export, and each further page of a list, leaves an entry in the audit
    /// log.
    public static let readsPersons = Self(rawValue: 2048)
}

// MARK: - Bodies that are not JSON of a type

/// The request has no body.
public enum NoBody: Sendable {}

/// The successful response is 204, or 202 where something follows later, without a body.
public enum NoContent: Sendable {}

/// The body is bytes of any media type.
public enum RawBytes: Sendable {}

/// The response is a stream of server-sent events (`text/event-stream`), each with such a value as its data.
///
/// With `Last-Event-ID` the stream continues after that event. After the last event the stream ends, and the next
/// request for it gives 204.
public enum ServerSentEvents<Value: JSONCodable>: Sendable {}

/// The response is a JSON object without a type.
public enum JSONDocument: Sendable {}

// MARK: - All exchanges

/// The exchanges of all endpoints.
public enum Contract {
    /// Exactly one exchange for each endpoint.
    public static let all: [any AnyExchange] =
        system + account + accountSafety + addressBook + catalog + carts + ordering + riding + administration + managing
        + discounting + eventing + webhooking + orderDesk + figures + confirming + staffing
}

extension Endpoint {
    /// All endpoints, in the order of `Contract.all`.
    public static let all = Contract.all.map(\.endpoint)

    /// The endpoints of a path, one for each method. If several templates match, those with the fewest parameters win,
    /// as in a router.
    public static func at(_ path: some StringProtocol) -> [Endpoint] {
        let found = all.filter { $0.template.matches(path) }
        let fewest = found.map(\.template.parameters.count).min()
        return found.filter { $0.template.parameters.count == fewest }
    }
}

/// An exchange without its generic types, for lists of exchanges.
public protocol AnyExchange: Sendable {
    var endpoint: Endpoint { get }
    var status: Int { get }
    var bodyType: Any.Type { get }
    var answerType: Any.Type { get }
    var query: (any QueryDecodable.Type)? { get }
    var features: ExchangeFeatures { get }
    var minimalAnswer: (any JSONCodable.Type)? { get }
    var ownProblems: [ProblemCode] { get }
}

extension Exchange: AnyExchange {
    public var bodyType: Any.Type { Body.self }
    public var answerType: Any.Type { Answer.self }
}

extension AnyExchange {
    /// All problems that a request can get: those that follow from the parts of the exchange, and its own.
    public var problemCodes: Set<ProblemCode> {
        var codes: Set<ProblemCode> = [.headersTooLarge, .tooManyRequests, .internalError, .overloaded, .unavailable]
        codes.formUnion(ownProblems)
        if endpoint.access != .anyone || features.contains(.acceptsGuestToken) {
            codes.formUnion([.unauthenticated, .tokenExpired])
        }
        switch endpoint.access {
        case .customer, .guestOrCustomer: codes.formUnion([.forbidden, .apiKeyInvalid])
        case .staff: codes.formUnion([.forbidden, .apiKeyInvalid, .secondFactorNeeded])
        case .anyone: break
        }
        if features.contains(.freshSignIn) { codes.insert(.freshSignInRequired) }
        if !endpoint.template.parameters.isEmpty { codes.formUnion([.notFound, .invalidRequest]) }
        if let query {
            codes.insert(.invalidQuery)
            if query.parameters.contains(where: { $0.name == "cursor" }) { codes.insert(.invalidCursor) }
        }
        if bodyType != NoBody.self {
            codes.formUnion([
                .invalidRequest, .invalidJSON, .bodyTooLarge, .unsupportedMediaType, .validationFailed, .unknownField,
                .jsonTooDeep,
            ])
        } else if endpoint.method != .get {
            codes.formUnion([.invalidRequest, .bodyTooLarge])
        }
        if acceptsKey {
            codes.formUnion([.invalidHeader, .idempotencyKeyReused, .idempotencyKeyInUse])
            if features.contains(.keyRequired) { codes.insert(.idempotencyKeyRequired) }
        }
        if acceptsIfMatch { codes.formUnion([.invalidHeader, .versionConflict]) }
        if features.contains(.ranges) { codes.insert(.rangeNotSatisfiable) }
        return codes
    }

    /// Whether a request may have `Idempotency-Key`.
    public var acceptsKey: Bool {
        endpoint.method == .post && endpoint.access != .anyone
            && features.isDisjoint(with: [.readsOnly, .secretAnswer])
    }

    /// Whether a request may have `If-Match`.
    public var acceptsIfMatch: Bool {
        !features.isDisjoint(with: [.versioned, .conditional]) && endpoint.method != .get
    }
}
