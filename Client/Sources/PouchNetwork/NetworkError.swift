/// Why no answer arrived. The texts are for logs.
public enum NetworkError: Error, Sendable, Equatable {
    case cancelled
    /// The answer was not complete in time. The request may have had its effect.
    case timedOut
    /// No host of that name, or no connection: nothing was sent.
    case unreachable(String)
    /// The connection broke before the answer was complete. The request may have had its effect.
    case connectionLost(String)
    /// The other side could not prove who it is.
    case untrusted(String)
    /// The answer's body has more bytes than were allowed.
    case tooLarge(limit: Int)
    /// The server sent the request on again and again.
    case tooManyRedirects
    /// The answer's status is none of those that the operation takes.
    case unaccepted(status: Int)
    /// Whatever else kept the transport from bringing an HTTP answer.
    case failed(String)
}
