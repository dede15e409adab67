import Foundation
import PouchWire

/// Why a call has no good answer, with what is known of the answer that it got.
public struct ServiceError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        // No answer arrived. The texts are for logs.
        case cancelled
        /// The answer was not complete within the request's timeout.
        case timedOut
        /// No host of that name, no connection, or the connection was lost.
        case unreachable(String)
        /// The other side could not prove who it is.
        case untrusted(String)
        /// Whatever else kept an answer from arriving.
        case failed(String)

        /// The server said no; `problem` tells why, if it could be read.
        case refused
        /// The status says success, the body doesn't. The text is for logs.
        case unreadable(String)
        /// The server ended the session for good; it is forgotten here too.
        case sessionEnded
        /// The call needs a session, and there is none.
        case notSignedIn
        /// The session could not be loaded, saved or cleared. The text is for logs.
        case storage(String)
    }

    public let reason: Reason
    public let status: Int?
    /// The request's name in the server's log.
    public let requestId: String?
    public let problem: Problem?
    /// How long the server asks to wait before the next try.
    public let retryAfter: Duration?
    /// The first 128 KiB of the answer, so every problem that the server sends. Never holds tokens.
    public let body: Data

    public init(
        _ reason: Reason,
        status: Int? = nil,
        requestId: String? = nil,
        problem: Problem? = nil,
        retryAfter: Duration? = nil,
        body: Data = Data()
    ) {
        self.reason = reason
        self.status = status
        self.requestId = requestId
        self.problem = problem
        self.retryAfter = retryAfter
        self.body = body
    }
}

extension ServiceError: CustomStringConvertible {
    /// For logs: one line, with the beginning of a body that is not a problem.
    public var description: String {
        var parts = ["\(reason)"]
        if let status { parts.append("status \(status)") }
        if let problem { parts.append("\(problem.code): \(problem.detail ?? problem.title)") }
        if let requestId { parts.append("request \(requestId)") }
        if problem == nil, !body.isEmpty { parts.append("body \(excerpt)") }
        return parts.joined(separator: ", ")
    }

    private var excerpt: String {
        String(decoding: body.prefix(200), as: UTF8.self).debugDescription
    }
}
