import PouchEntities
import PouchWire

/// An endpoint with all that is fixed of its requests and answers: types, query, headers, problems.
///
/// `NoBody`, `NoContent` and `RawBytes` stand where there is no JSON.
public struct Exchange<Body, Answer>: Sendable {
    public let endpoint: Endpoint
    /// The status of a good answer.
    public let status: Int
    public let query: (any QueryDecodable.Type)?
    public let features: ExchangeFeatures
    public let minimalAnswer: (any (Decodable & Sendable).Type)?
    public let ownProblems: [ProblemCode]

    /// - Parameters:
    ///   - query: what reads the query; by default `PageQuery` for a `Page`, and else none is looked at.
    ///   - minimal: what is answered to `Prefer: return=minimal`.
    ///   - problems: what can go wrong here, beside what the body, the query, the path, the access and the features
    ///     bring along (`problemCodes`).
    init(
        _ endpoint: Endpoint, status: Int = 200, query: (any QueryDecodable.Type)? = nil,
        minimal: (any (Decodable & Sendable).Type)? = nil, _ features: ExchangeFeatures = [],
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

/// What an endpoint does with certain headers.
public struct ExchangeFeatures: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The answer has an ETag, and `If-None-Match` is answered with 304.
    public static let cached = Self(rawValue: 1)
    /// The answer's ETag is a version; a write takes `If-Match`.
    public static let versioned = Self(rawValue: 2)
    /// The `Idempotency-Key`, which any POST of a principal may have, is required.
    public static let keyRequired = Self(rawValue: 4)
    /// A guest's token may be sent, though none is needed.
    public static let takesGuest = Self(rawValue: 8)
    /// `Range` is answered with 206.
    public static let ranges = Self(rawValue: 16)
    /// The answer's ETag is the first version of what the request made, which therefore takes no `If-Match`.
    public static let firstVersion = Self(rawValue: 32)
}

/// The request has no body.
public enum NoBody: Sendable {}

/// The good answer is 204, without a body.
public enum NoContent: Sendable {}

/// The body is bytes of any media type.
public enum RawBytes: Sendable {}

/// The answer is a stream of server-sent events (`text/event-stream`), each with such a value as its data. `Last-Event-ID`
/// goes on behind that event; when nothing will follow the stream ends, and asked again is 204.
public enum ServerSentEvents<Value: Decodable & Sendable>: Sendable {}

/// The answer is a JSON object that no type describes.
public enum JSONDocument: Sendable {}

protocol Paged {}
extension Page: Paged {}
extension ProductPage: Paged {}

/// An exchange without its types, for lists of all.
public protocol AnyExchange: Sendable {
    var endpoint: Endpoint { get }
    var status: Int { get }
    var bodyType: Any.Type { get }
    var answerType: Any.Type { get }
    var query: (any QueryDecodable.Type)? { get }
    var features: ExchangeFeatures { get }
    var minimalAnswer: (any (Decodable & Sendable).Type)? { get }
    /// The codes that no rule gives.
    var ownProblems: [ProblemCode] { get }
}

extension Exchange: AnyExchange {
    public var bodyType: Any.Type { Body.self }
    public var answerType: Any.Type { Answer.self }
}

/// All exchanges of the contract.
public enum Contract {
    /// One for every endpoint.
    public static let all: [any AnyExchange] =
        system + account + catalog + carts + ordering + riding + imports + administration
}
