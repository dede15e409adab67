/// What brings requests to a server: URLSession, another HTTP library, or a stub in a test.
public protocol Transport: Sendable {
    /// Sends one request and waits for the whole answer, whatever its status.
    ///
    /// Implementations should end soon after their task was cancelled; `NetworkOperation` does not rely on it. They
    /// need not keep the request's timeout, which `NetworkOperation` does. The body is in `body` or in the file that
    /// `upload` names.
    func send(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse
}
