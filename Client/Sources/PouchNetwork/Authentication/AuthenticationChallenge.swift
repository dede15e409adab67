/// One way to authenticate that a server offers in `WWW-Authenticate` (RFC 9110, section 11.6.1).
public struct AuthenticationChallenge: Sendable, Equatable {
    /// In lower case, as in `basic`.
    public let scheme: String
    /// What some schemes have in place of parameters.
    public let token68: String?
    /// By name in lower case; quoted values without their quotes.
    public let parameters: [String: String]

    public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// All challenges of an answer, in order, whether in one field or in several. What cannot be read is left out.
    public static func all(in headers: HeaderFields) -> [AuthenticationChallenge] {
        headers.all("WWW-Authenticate").flatMap { field in
            var reader = ChallengeReader(field)
            return reader.challenges()
        }
    }
}
