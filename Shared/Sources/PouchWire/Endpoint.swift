import Foundation
@_exported import PouchAccess

/// The part of a call without types: its name, method and path, who may make it, and the fixed features of its request
/// and answer. `Contract` in PouchContract lists all calls with their types:
///
///     let endpoint = Contract.setCartLine.endpoint
///     endpoint.method                                    // .put
///     endpoint.template.path(["71101-69-m"])             // "/v1/cart/lines/71101-69-m"
///
/// Two endpoints are equal if their names are.
public struct Endpoint: Hashable, Sendable {
    /// The name, unique among all endpoints; the operation's name in logs and its `operationId` in OpenAPI.
    public let name: String
    public let method: HTTPVerb
    public let template: PathTemplate
    public let access: Access
    /// The status of a successful answer.
    public let status: Int
    public let features: EndpointFeatures
    /// The body of a successful answer.
    public let answer: AnswerKind

    public init(
        _ name: String, _ method: HTTPVerb, _ template: String, _ access: Access, status: Int = 200,
        _ features: EndpointFeatures = [], answer: AnswerKind = .json
    ) {
        self.name = name
        self.method = method
        self.template = PathTemplate(template)
        self.access = access
        self.status = status
        self.features = features
        self.answer = answer
    }

    public static func == (one: Endpoint, other: Endpoint) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The call that the client's service makes by itself.
    public static let refreshSession = Endpoint(
        "refreshSession", .post, "/v1/sessions/refresh", .anyone, .startsSession)
}

/// The HTTP methods that the contract uses.
public enum HTTPVerb: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// The principals that may call an endpoint.
public enum Access: Sendable, Hashable {
    /// No token is needed; a token is ignored unless the endpoint documents a use for it.
    case anyone
    /// A guest, a customer or an administrator.
    case guestOrCustomer
    /// A customer or an administrator; a guest gets 403 `forbidden`.
    case customer
    /// Staff whose role has the permission, and API keys with it; all others get 403 `forbidden`, which names the
    /// permission. API keys cannot call anything else that needs a token.
    case staff(Permission)
}

extension Access {
    public var isForStaff: Bool {
        permission != nil
    }

    /// The permission that the principal needs; nil for an endpoint that is not for staff.
    public var permission: Permission? {
        if case .staff(let permission) = self { permission } else { nil }
    }
}

/// The body of a successful answer.
public enum AnswerKind: Sendable, Hashable {
    case json
    /// Bytes of any media type.
    case bytes
    /// Server-sent events.
    case events
    /// No body.
    case nothing
}

/// The use of certain headers by an endpoint, and its effects on the session.
public struct EndpointFeatures: OptionSet, Hashable, Sendable {
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
    /// `Range` returns 206.
    public static let ranges = Self(rawValue: 16)
    /// The response's ETag is the first version of a new resource, so the request accepts no `If-Match`.
    public static let firstVersion = Self(rawValue: 32)
    /// The POST has no effect that could happen twice, so `Idempotency-Key` is ignored.
    public static let readsOnly = Self(rawValue: 64)
    /// An empty body means an object without fields.
    public static let bodyOptional = Self(rawValue: 128)
    /// The password, and the second factor if there is one, must have been confirmed in the session within the last ten
    /// minutes. API keys are exempt: they have no password, and their scopes limit them.
    public static let freshSignIn = Self(rawValue: 256)
    /// The answer contains a secret that is shown once. It is never stored, so `Idempotency-Key` is ignored.
    public static let secretAnswer = Self(rawValue: 512)
    /// A write accepts `If-Match` with the version of the object that its path names. Its answer is something else, so
    /// the response has no ETag.
    public static let conditional = Self(rawValue: 1024)
    /// The answer contains data of many persons. An export creates an entry in the audit log, and so does a page of a
    /// list with a cursor or a period of time.
    public static let readsPersons = Self(rawValue: 2048)
    /// The answer is a new session.
    public static let startsSession = Self(rawValue: 4096)
    /// A successful answer ends the session of the request.
    public static let endsSession = Self(rawValue: 8192)
}

/// One request to an endpoint, as sent by a client: everything except the server's address and the headers.
///
///     let call = Contract.setCartLine.call("71101-69-m")
///     call.reference                                     // "/v1/cart/lines/71101-69-m"
public struct EndpointCall: Hashable, Sendable {
    public let endpoint: Endpoint
    /// The values of the path parameters, in order.
    public let parameters: [String]
    public var query: QueryString
    /// The JSON body.
    public var body: Data?

    public init(
        _ endpoint: Endpoint, _ parameters: [String] = [], query: QueryString = QueryString(), body: Data? = nil
    ) {
        self.endpoint = endpoint
        self.parameters = parameters
        self.query = query
        self.body = body
    }

    /// The path and query, both percent-encoded.
    public var reference: String {
        let path = endpoint.template.path(parameters)
        return query.items.isEmpty ? path : path + "?" + query.encoded
    }
}

/// A path with named parameters, such as `/v1/cart/lines/{sku}`.
public struct PathTemplate: Hashable, Sendable, CustomStringConvertible {
    /// The part between two slashes.
    public enum Segment: Hashable, Sendable {
        case literal(String)
        /// Matches one segment. The router splits a path before it percent-decodes the values.
        case parameter(String)
        /// Matches one or more segments; only at the end of a template. Written `{name...}`.
        case rest(String)
    }

    public let description: String
    public let segments: [Segment]

    public init(_ template: String) {
        description = template
        segments = template.split(separator: "/").map { piece in
            guard piece.hasPrefix("{"), piece.hasSuffix("}") else { return .literal(String(piece)) }
            let name = piece.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
        }
    }

    /// The parameter names, in the order of the path.
    public var parameters: [String] {
        segments.compactMap { segment in
            switch segment {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }

    /// The path with the parameters filled in, percent-encoded so that each value stays within its segment.
    ///
    /// A parameter without a value becomes an empty segment, which no route matches.
    ///
    /// - Parameter values: the values in the order of `parameters`.
    public func path(_ values: [String]) -> String {
        var values = values[...]
        return segments.reduce(into: "") { path, segment in
            path += "/"
            switch segment {
            case .literal(let text): path += text
            case .parameter: path += Self.encode(values.popFirst() ?? "")
            case .rest:
                path += (values.popFirst() ?? "").split(separator: "/").map { Self.encode(String($0)) }
                    .joined(separator: "/")
            }
        }
    }

    /// The path with the parameters filled in by their names.
    public func path(_ values: [String: String] = [:]) -> String { path(parameters.map { values[$0] ?? "" }) }

    /// Whether the path matches the template; its segments may be percent-encoded.
    public func matches(_ path: some StringProtocol) -> Bool { matches(pieces: path.split(separator: "/")) }

    /// Whether the path of these segments matches the template.
    package func matches<Piece: StringProtocol>(pieces: [Piece]) -> Bool {
        var pieces = pieces[...]
        for segment in segments {
            guard let piece = pieces.popFirst() else { return false }
            switch segment {
            case .rest: return true
            case .literal(let text) where text != piece: return false
            case .literal, .parameter: break
            }
        }
        return pieces.isEmpty
    }

    /// Percent-encodes all characters except RFC 3986 "unreserved" ones.
    static func encode(_ text: String) -> String {
        // Most ids need no encoding.
        guard !text.utf8.allSatisfy(\.isUnreserved) else { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The URI without unnecessary escapes in its path, which leaves it the same address (RFC 3986 §6.2.2.2).
    public static func normal(_ uri: String) -> String {
        guard uri.utf8.contains(UInt8(ascii: "%")) else { return uri }
        let path = uri.prefix { $0 != "?" }
        let pieces = path.split(separator: "%", omittingEmptySubsequences: false)
        let normal = pieces.dropFirst().reduce(into: String(pieces[0])) { normal, piece in
            if piece.utf8.count >= 2, let byte = UInt8(piece.prefix(2), radix: 16), byte.isUnreserved {
                normal.unicodeScalars.append(Unicode.Scalar(byte))
                normal += piece.dropFirst(2)
            } else {
                normal += "%"
                normal += piece
            }
        }
        return normal + uri[path.endIndex...]
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    /// Whether the byte is unreserved (RFC 3986 §2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
