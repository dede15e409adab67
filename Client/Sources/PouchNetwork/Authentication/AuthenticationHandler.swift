/// Decides how challenges of a server are answered. The values it gives are secret.
///
/// Sessions ask it only for requests that bring no `Authorization` of their own, and never for what a redirect sent to
/// another origin.
public protocol AuthenticationHandler: Sendable {
    /// The value of `Authorization` to send before anybody asked; nil waits for the challenge.
    func authorization(for request: NetworkRequest) async -> String?

    /// Answers a 401.
    ///
    /// - Parameters:
    ///   - challenges: everything that the server offers, in its order.
    ///   - request: as it was sent, so with the `Authorization` that was not enough, if any.
    /// - Returns: the value of `Authorization` to try; nil gives up, and the 401 is the answer.
    func authorization(
        answering challenges: [AuthenticationChallenge], to request: NetworkRequest
    ) async -> String?

    /// Told the head of what the last try brought, whatever its status.
    func received(_ headers: HeaderFields, for request: NetworkRequest) async
}

extension AuthenticationHandler {
    public func authorization(for request: NetworkRequest) async -> String? { nil }
    public func received(_ headers: HeaderFields, for request: NetworkRequest) async {}
}
