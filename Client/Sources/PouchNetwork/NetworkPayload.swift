import Foundation

/// All there is to know about one request: what was asked, what was sent, what came back, and when.
public struct NetworkPayload: Sendable {
    public let originalRequest: NetworkRequest
    /// The original with what was added on the way, as in credentials.
    public let sentRequest: NetworkRequest
    /// The answer to the last attempt; never anything of an earlier one.
    public internal(set) var response: NetworkResponse?
    /// Once the operation has ended either this or `response` is set; both where the status was not accepted.
    public internal(set) var error: NetworkError?
    /// Every sending of the request, the first one first; the last may lack an end when the operation was cancelled.
    public internal(set) var attempts: [NetworkAttempt] = []
    public let createdAt: Date
    /// nil: never handed to the transport.
    public internal(set) var startedAt: Date?
    /// When the answer was complete or the error was known.
    public internal(set) var endedAt: Date?

    public var data: Data? { response?.data }

    init(originalRequest: NetworkRequest, sentRequest: NetworkRequest) {
        self.originalRequest = originalRequest
        self.sentRequest = sentRequest
        createdAt = Date()
    }
}
