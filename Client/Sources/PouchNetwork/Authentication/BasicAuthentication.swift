import Foundation

/// A name and password for one server, sent as Basic (RFC 7617) when it asks for them, and from then on unasked.
public actor BasicAuthentication: AuthenticationHandler {
    private let server: Origin
    private let credentials: String
    private var wasAsked = false

    /// The server is the only one that gets them; its path does not matter. nil for a name with a colon, or for control
    /// characters, which Basic cannot say.
    public init?(user: String, password: String, server: URL) {
        let text = user + ":" + password
        guard !user.contains(":"), !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.server = Origin(server)
        credentials = "Basic " + Data(text.utf8).base64EncodedString()
    }

    public func authorization(for request: NetworkRequest) async -> String? {
        wasAsked && Origin(request.url) == server ? credentials : nil
    }

    public func authorization(
        answering challenges: [AuthenticationChallenge], to request: NetworkRequest
    ) async -> String? {
        guard Origin(request.url) == server, challenges.contains(where: { $0.scheme == "basic" }),
            request.headers["Authorization"] != credentials
        else { return nil }
        wasAsked = true
        return credentials
    }
}

extension BasicAuthentication: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
