import Foundation
import PouchEntities
import PouchJSON
import PouchWire

/// A call, described once: its endpoint, with the types of its request and answer.
///
/// `Contract` lists all exchanges. The server registers each with a handler, the client's data layer encodes and
/// decodes with its types, and `/openapi.json` is generated from it:
///
///     public static let setCartLine = Exchange<QuantityRequest, Cart>(
///         "setCartLine", .put, "/v1/cart/lines/{sku}", .guestOrCustomer, minimal: CartSummary.self, .versioned,
///         problems: [.unknownSKU, .outOfStock, .cartFull],
///         about: "Sets the quantity of a line; 0 removes it.")
///
/// `Input` is the query (`QueryType`) or the body (JSON) of a request, `NoInput` if there is neither, and `RawBytes`
/// for a body of any media type. `NoContent` and `RawBytes` replace an answer that is not JSON.
public struct Exchange<Input, Answer>: Sendable {
    public let endpoint: Endpoint
    public let query: (any QueryType.Type)?
    public let minimalAnswer: (any JSONCodable.Type)?
    public let ownProblems: [ProblemCode]
    public let about: String

    /// - Parameters:
    ///   - name: the name of the constant.
    ///   - query: the query of a request that also has a body. Without it, the query of a request with a body is
    ///     ignored.
    ///   - minimal: the response to `Prefer: return=minimal`.
    ///   - problems: the problems of this endpoint in addition to those implied by its input, path, access and features
    ///     (`problemCodes`).
    ///   - about: a description of the call, for the API documentation.
    init(
        _ name: String, _ method: HTTPVerb, _ path: String, _ access: Access, status: Int = 200,
        query: (any QueryType.Type)? = nil, minimal: (any JSONCodable.Type)? = nil, _ features: EndpointFeatures = [],
        problems: [ProblemCode] = [], about: String
    ) {
        let answer: AnswerKind =
            switch Answer.self {
            case is NoContent.Type: .nothing
            case is RawBytes.Type: .bytes
            case is any EventsAnswer.Type: .events
            default: .json
            }
        self.init(
            Endpoint(name, method, path, access, status: status, features, answer: answer), query: query,
            minimal: minimal, problems: problems, about: about)
    }

    init(
        _ endpoint: Endpoint, query: (any QueryType.Type)? = nil, minimal: (any JSONCodable.Type)? = nil,
        problems: [ProblemCode] = [], about: String
    ) {
        self.endpoint = endpoint
        self.query = query ?? Input.self as? any QueryType.Type
        minimalAnswer = minimal
        ownProblems = problems
        self.about = about
    }
}

// MARK: - Bodies that are not JSON of a type

/// The request has neither a query nor a body; a query is ignored.
public enum NoInput: Sendable {}

/// The successful response is 204, or 202 if something follows later, without a body.
public enum NoContent: Sendable {}

/// The body is bytes of any media type.
public enum RawBytes: Sendable {}

/// The response is a stream of server-sent events (`text/event-stream`), each with such a value as its data.
///
/// With `Last-Event-ID`, the stream continues after that event. After the last event the stream ends, and the next
/// request gets 204.
public enum ServerSentEvents<Value: JSONCodable>: Sendable {}

/// An answer that is a stream of events, without its generic type.
package protocol EventsAnswer {
    static var dataType: any JSONCodable.Type { get }
}

extension ServerSentEvents: EventsAnswer {
    package static var dataType: any JSONCodable.Type { Value.self }
}

/// The response is a JSON object without a type.
public enum JSONDocument: Sendable {}

// MARK: - All exchanges

/// The exchanges of all endpoints.
public enum Contract {
    /// Exactly one exchange for each endpoint.
    public static let all: [any AnyExchange] =
        systemExchanges + accountExchanges + accountSafetyExchanges + addressExchanges + catalogExchanges
        + cartExchanges + orderExchanges + rideExchanges + administrationExchanges + productExchanges
        + discountExchanges + eventExchanges + webhookExchanges + managedOrderExchanges + figureExchanges
        + confirmationExchanges + staffExchanges
}

extension Endpoint {
    /// All endpoints, in the order of `Contract.all`.
    public static let all = Contract.all.map(\.endpoint)

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// nil for a name that no endpoint has.
    public static func named(_ name: String) -> Endpoint? { byName[name] }

    /// The endpoints of a path, one for each method. If several templates match, the one with the fewest parameters
    /// wins, as in a router.
    public static func at(_ path: some StringProtocol) -> [Endpoint] {
        let pieces = path.split(separator: "/")
        let found = all.filter { $0.template.matches(pieces: pieces) }
        let fewest = found.map(\.template.parameters.count).min()
        return found.filter { $0.template.parameters.count == fewest }
    }
}

/// An exchange without its generic types, for lists of exchanges.
public protocol AnyExchange: Sendable {
    var endpoint: Endpoint { get }
    /// The type of the body; nil for a request without one.
    var bodyType: Any.Type? { get }
    var answerType: Any.Type { get }
    var query: (any QueryType.Type)? { get }
    var minimalAnswer: (any JSONCodable.Type)? { get }
    var ownProblems: [ProblemCode] { get }
    /// A description of the call, in one or two sentences.
    var about: String { get }
}

extension Exchange: AnyExchange {
    public var bodyType: Any.Type? { Input.self is any QueryType.Type || Input.self == NoInput.self ? nil : Input.self }
    public var answerType: Any.Type { Answer.self }
}

extension AnyExchange {
    /// The status of a successful answer.
    public var status: Int { endpoint.status }
    public var features: EndpointFeatures { endpoint.features }

    /// All problems that a request can get: those implied by the parts of the exchange, and its own.
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
        if bodyType != nil {
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

// MARK: - Calls

extension Exchange {
    /// One request to the endpoint, for a client.
    ///
    /// - Parameters:
    ///   - parameters: the values of the path parameters, in order.
    ///   - body: the JSON body.
    public func call(_ parameters: String..., query: some QueryType = NoQuery(), body: Data? = nil) -> EndpointCall {
        EndpointCall(endpoint, parameters, query: query.queryString, body: body)
    }
}

extension AnyExchange {
    /// Lets a switch over endpoints name exchanges: `case Contract.cart`.
    public static func ~= (exchange: Self, endpoint: Endpoint) -> Bool { exchange.endpoint == endpoint }
}
