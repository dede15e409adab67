import Foundation

/// All there is to know about one request: what was asked, what was sent, what came back, and when.
public struct NetworkPayload: Sendable {
    public let originalRequest: NetworkRequest
    /// The original with what was added on the way, as in credentials.
    public let sentRequest: NetworkRequest
    /// Exactly one of `response` and `error` is set once the operation has ended.
    public internal(set) var response: NetworkResponse?
    public internal(set) var error: NetworkError?
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
