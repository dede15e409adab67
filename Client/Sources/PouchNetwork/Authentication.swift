import Foundation

/// Answers the authentication challenges of a server. The values that it returns are secret. A session calls the
/// handler only for requests that have no `Authorization`, and never after a redirect to another origin.
///
///     let handler = BasicAuthentication(user: "ada", password: password, server: url)
///     let session = NetworkSession(transport, authentication: handler)
public protocol AuthenticationHandler: Sendable {
    /// The value of `Authorization` to send without a challenge; nil waits for the challenge.
    func authorization(for request: NetworkRequest) async -> String?

    /// Answers a 401.
    ///
    /// - Parameters:
    ///   - challenges: all challenges that the server offers, in its order.
    ///   - request: the request as sent, with the `Authorization` that was refused, if any.
    /// - Returns: the value of `Authorization` to try next; nil gives up, and the 401 becomes the response.
    func authorization(answering challenges: [AuthenticationChallenge], to request: NetworkRequest) async -> String?

    /// Receives the header fields of the last response, for any status.
    func received(_ headers: HeaderFields, for request: NetworkRequest) async
}

extension AuthenticationHandler {
    public func authorization(for request: NetworkRequest) async -> String? { nil }
    public func received(_ headers: HeaderFields, for request: NetworkRequest) async {}
}

/// A name and password for one server. They are sent as Basic (RFC 7617) after its first challenge, and from then on
/// without a challenge.
public actor BasicAuthentication: AuthenticationHandler {
    private let server: Origin
    private let credentials: String
    private var wasChallenged = false

    /// Returns nil for a name with a colon and for control characters, which Basic cannot encode.
    ///
    /// - Parameters:
    ///   - user: a name without a colon.
    ///   - password: held only in memory.
    ///   - server: the only origin that receives the password; the path does not matter.
    public init?(user: String, password: String, server: URL) {
        let text = user + ":" + password
        guard !user.contains(":"), !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.server = Origin(server)
        credentials = "Basic " + Data(text.utf8).base64EncodedString()
    }

    public func authorization(for request: NetworkRequest) async -> String? {
        wasChallenged && Origin(request.url) == server ? credentials : nil
    }

    public func authorization(
        answering challenges: [AuthenticationChallenge], to request: NetworkRequest
    ) async -> String? {
        guard Origin(request.url) == server, challenges.contains(where: { $0.scheme == "basic" }),
            request.headers["Authorization"] != credentials
        else { return nil }
        wasChallenged = true
        return credentials
    }
}

extension BasicAuthentication: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A challenge that a server offers in `WWW-Authenticate` (RFC 9110, section 11.6.1).
public struct AuthenticationChallenge: Sendable, Equatable {
    /// The scheme in lower case, such as `basic`.
    public let scheme: String
    /// The token that some schemes have instead of parameters.
    public let token68: String?
    /// The parameters by name in lower case; quoted values without their quotes.
    public let parameters: [String: String]

    public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// All challenges of a response, in order, from one field or several. Unreadable parts are skipped.
    public static func all(in headers: HeaderFields) -> [AuthenticationChallenge] {
        headers.all("WWW-Authenticate").flatMap { field in
            var reader = ChallengeReader(field)
            return reader.challenges()
        }
    }
}

/// Parses `WWW-Authenticate`, in which a comma separates both challenges and their parameters.
private struct ChallengeReader {
    private var rest: Substring.UTF8View

    init(_ field: String) {
        rest = Substring(field).utf8
    }

    mutating func challenges() -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var scheme: String?
        var token68: String?
        var parameters: [String: String] = [:]
        func finished() -> [AuthenticationChallenge] {
            scheme.map { [AuthenticationChallenge(scheme: $0, token68: token68, parameters: parameters)] } ?? []
        }
        while !rest.isEmpty {
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
            let name = take(while: Self.isToken)
            skip(while: Self.isSpace)
            if name.isEmpty {
                skip { $0 != UInt8(ascii: ",") }
            } else if rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                skip(while: Self.isSpace)
                // The first of duplicate parameters is used.
                let value = value()
                if parameters[name.lowercased()] == nil { parameters[name.lowercased()] = value }
            } else {
                challenges += finished()
                (scheme, token68, parameters) = (name.lowercased(), takeToken68(), [:])
            }
        }
        return challenges + finished()
    }

    private mutating func value() -> String {
        guard rest.first == UInt8(ascii: "\"") else { return take(while: Self.isToken) }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a token only if a comma or the end follows; otherwise it is the name of the first parameter.
    private mutating func takeToken68() -> String? {
        let start = rest
        let token = take { Self.isToken($0) || $0 == UInt8(ascii: "/") }
        let padding = take { $0 == UInt8(ascii: "=") }
        skip(while: Self.isSpace)
        if !token.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ",") { return token + padding }
        rest = start
        return nil
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        rest = rest.drop(while: condition)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
