/// What brings requests to a server: URLSession, another HTTP library, or a stub in a test.
public protocol Transport: Sendable {
    /// Sends one request once and answers as soon as the head of the answer is there, whatever its status.
    ///
    /// Neither redirects nor challenges are followed: they come back as any other answer, and `NetworkSession` decides.
    /// Implementations should end soon after their task was cancelled, and when the body is dropped unread;
    /// `NetworkOperation` does not rely on it. They need not keep the request's timeout. The body to be sent is in
    /// `body` or in the file that `upload` names.
    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse
}
