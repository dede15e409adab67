/// Why no answer arrived. The texts are for logs.
public enum NetworkError: Error, Sendable, Equatable {
    case cancelled
    /// The answer was not complete within the request's timeout.
    case timedOut
    /// No host of that name, no connection, or the connection was lost.
    case unreachable(String)
    /// The other side could not prove who it is.
    case untrusted(String)
    /// Whatever else kept the transport from bringing an HTTP answer.
    case failed(String)
}
