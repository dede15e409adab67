import Foundation
@_exported import enum PouchNetwork.NetworkError
import PouchWire

/// The reason why a call failed, with the details of the response, if there was one.
public struct ServiceError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        /// No complete response arrived. The error is that of the last attempt: an earlier one may have reached the
        /// server. A response that is too large, or redirected too often, is `.unreadable`.
        case network(NetworkError)
        /// The server refused the call; `problem` contains the reason. A server of plain files sends no problem.
        case refused
        /// The response is not the server's: another program in between responded, or the body was damaged on the way.
        /// The call may have taken effect. The text is for logs.
        case unreadable(String)
        /// The server ended the session permanently. It has also been removed here.
        case sessionEnded
        /// The call needs a session, and no session exists.
        case notSignedIn
        /// The session could not be loaded, saved or cleared. The text is for logs.
        case storage(String)
        /// A downloaded file could not be written. The text is for logs.
        case file(String)
    }

    public let reason: Reason
    public let status: Int?
    /// The id of the request in the server's log.
    public let requestId: String?
    public let problem: Problem?
    /// The wait that the server requests before the next attempt.
    public let retryAfter: Duration?
    /// The first 128 KiB of the response, which is enough for any problem that the server sends. Never contains tokens.
    public let body: Data
    package private(set) var sendState: SendState

    /// The part of a failed call that may have reached the server.
    package enum SendState: Sendable, Equatable {
        /// The call only reads.
        case readOnly
        /// This write was not sent.
        case notSent
        /// This write was not sent; an edit of the cart before it may have been.
        case precedingWrite
        /// At most one attempt of this write was sent. The error's reason shows its outcome.
        case singleAttempt
        /// An attempt before the last one may have been sent. The error's reason says nothing about its outcome.
        case earlierAttempt
        /// An earlier call may have sent this write. This error says nothing about its outcome.
        case sentByEarlierCall
    }

    public init(
        _ reason: Reason, status: Int? = nil, requestId: String? = nil, problem: Problem? = nil,
        retryAfter: Duration? = nil, body: Data = Data()
    ) {
        self.reason = reason
        self.status = status
        self.requestId = requestId
        self.problem = problem
        self.retryAfter = retryAfter
        self.body = body
        sendState = .readOnly
    }

    package func with(sendState: SendState) -> ServiceError {
        var error = self
        error.sendState = sendState
        return error
    }
}

extension ServiceError: CustomStringConvertible {
    /// One line for logs, with the start of a body that is not a problem.
    public var description: String {
        var parts = if case .network(let error) = reason { ["\(error)"] } else { ["\(reason)"] }
        if let status { parts.append("status \(status)") }
        if let problem { parts.append("\(problem.code): \(problem.detail ?? problem.title)") }
        if let requestId { parts.append("request \(requestId)") }
        if problem == nil, !body.isEmpty {
            parts.append("body \(String(decoding: body.prefix(200), as: UTF8.self).debugDescription)")
        }
        return parts.joined(separator: ", ")
    }
}

extension ServiceError {
    /// Whether the server may be temporarily unavailable.
    var isTransient: Bool {
        switch reason {
        case .network(.unreachable), .network(.connectionLost), .network(.timedOut), .unreadable: true
        default: status.map { $0 == 429 || $0 >= 500 } ?? false
        }
    }

    /// Whether a new token may help. A wrong password is also a 401, but not a reason to refresh.
    var refusesToken: Bool {
        guard status == 401, let code = problem?.code else { return false }
        return code == .tokenExpired || code == .unauthenticated
    }
}

extension ServiceError.Reason {
    init(_ error: NetworkError) {
        switch error {
        case .tooLarge(let limit): self = .unreadable("the body is larger than \(limit) bytes")
        // A Pouch server redirects no call. The sign-in page of a network does.
        case .tooManyRedirects: self = .unreadable("too many redirects")
        default: self = .network(error)
        }
    }
}
