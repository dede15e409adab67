import Foundation

/// The record of one request: the request as asked and as sent, the response or error, every attempt, and the times.
public struct NetworkPayload: Sendable {
    public let originalRequest: NetworkRequest
    /// The original request with additions such as credentials.
    public let sentRequest: NetworkRequest
    /// The response to the last attempt, never to an earlier one.
    public internal(set) var response: NetworkResponse?
    /// Once the operation has ended either this or `response` is set; both if the status was not accepted.
    public internal(set) var error: NetworkError?
    /// All attempts in order. The last one may have no end if the operation was cancelled.
    public internal(set) var attempts: [NetworkAttempt] = []
    public let createdAt: Date
    /// The start of the first attempt; nil if the request never reached the transport.
    public internal(set) var startedAt: Date?
    /// The time at which the response was complete or the error was known; nil until then.
    public internal(set) var endedAt: Date?

    public var data: Data? { response?.data }
}

/// One attempt to send a request.
public struct NetworkAttempt: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        case answered(status: Int)
        case failed(NetworkError)
    }

    public let startedAt: Date
    /// nil while the attempt is running.
    public private(set) var endedAt: Date?
    /// nil while the attempt is running.
    public private(set) var outcome: Outcome?

    mutating func end(with result: Result<NetworkResponse, NetworkError>, at date: Date) {
        endedAt = date
        switch result {
        case .success(let response): outcome = .answered(status: response.status)
        case .failure(let error): outcome = .failed(error)
        }
    }
}

/// An HTTP response that arrived whole. This layer judges neither its status nor its bytes.
public struct NetworkResponse: Sendable, Equatable {
    public let status: Int
    public let headers: HeaderFields
    public let data: Data

    public init(status: Int, headers: HeaderFields = [:], data: Data = Data()) {
        self.status = status
        self.headers = headers
        self.data = data
    }
}

extension NetworkResponse: CustomStringConvertible, CustomReflectable {
    /// The response without its body, which may hold a token.
    public var description: String { "\(status) [\(headers)] \(data.count) bytes" }

    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
