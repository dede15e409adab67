import Foundation

/// The record of one request: the original request and the one sent, the response or error, every attempt, and the
/// times.
///
///     let payload = NetworkPayload(NetworkRequest(url: url), response: NetworkResponse(status: 204))
///
/// It contains bodies and credentials; `NetworkReport` is the part for logs.
public struct NetworkPayload: Sendable {
    public let originalRequest: NetworkRequest
    /// The original request with additions such as credentials.
    public let sentRequest: NetworkRequest
    /// The response to the last attempt, never to an earlier one.
    public internal(set) var response: NetworkResponse?
    /// Once the operation has ended, either this or `response` is set; both if the status was not accepted.
    public internal(set) var error: NetworkError?
    /// All attempts in order. The last one may have no end if the operation was cancelled.
    public internal(set) var attempts: [NetworkAttempt]
    public let createdAt: Date
    /// The time at which the response was complete or the error was known; nil until then.
    public internal(set) var endedAt: Date?
    /// The size of the file to send, in bytes; nil without a file or an observer, or if the file cannot be read.
    var fileSize: Int64?

    /// A payload with any combination of response, error and attempts, for tests of code that reads payloads. Without
    /// `sending`, the original request was sent.
    public init(
        _ request: NetworkRequest, sending: NetworkRequest? = nil, response: NetworkResponse? = nil,
        error: NetworkError? = nil, attempts: [NetworkAttempt] = [], createdAt: Date = Date(), endedAt: Date? = nil
    ) {
        originalRequest = request
        sentRequest = sending ?? request
        self.response = response
        self.error = error
        self.attempts = attempts
        self.createdAt = createdAt
        self.endedAt = endedAt
    }

    public var data: Data? { response?.data }

    /// The start of the first attempt; nil if the request never reached the transport.
    public var startedAt: Date? { attempts.first?.startedAt }
}

/// One attempt to send a request, including its redirects and challenges.
public struct NetworkAttempt: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        case answered(status: Int)
        case failed(NetworkError)
    }

    public let startedAt: Date
    /// The time at which the transport returned the head of the response; nil if it has not. `StandardTransport` and
    /// `URLSessionTransport` return the head together with the body if its announced length is at most 64 KiB.
    public internal(set) var headAt: Date?
    /// nil while the attempt is running.
    public internal(set) var endedAt: Date?
    /// nil while the attempt is running.
    public internal(set) var outcome: Outcome?
    /// The number of received bytes of the response's body, decompressed.
    public internal(set) var receivedBytes: Int

    /// Whether the request may have reached the server in this attempt.
    public var mayHaveArrived: Bool {
        if case .failed(let error)? = outcome { !error.meansNothingWasSent } else { true }
    }

    public init(
        startedAt: Date, headAt: Date? = nil, endedAt: Date? = nil, outcome: Outcome? = nil, receivedBytes: Int = 0
    ) {
        self.startedAt = startedAt
        self.headAt = headAt
        self.endedAt = endedAt
        self.outcome = outcome
        self.receivedBytes = receivedBytes
    }
}

/// A complete HTTP response. This layer interprets neither its status nor its bytes.
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
    /// The response without its body, which may contain a token.
    public var description: String { "\(status) [\(headers)] \(data.count) bytes" }

    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
