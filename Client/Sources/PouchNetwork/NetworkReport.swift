import Foundation

/// The part of a payload for logs and metrics. It cannot leak a secret, because it contains none: no body, no header
/// field except `Request-Id`, and no user, password, query value or fragment of the URL.
///
///     let options = NetworkOptions(observe: { report in
///         print(report.method, report.url, report.status ?? 0, report.duration)
///     })
///
/// One report describes one operation with all its attempts: a request that was answered or failed, a connection for
/// server-sent events, or a download.
public struct NetworkReport: Sendable, Equatable {
    public let method: String
    /// The URL as text, with `*` for the values of its query: `https://shop.example/v1/products?q=*&limit=*`.
    public let url: String
    /// The bytes of the request's body in one attempt.
    public let sentBytes: Int64
    /// All attempts in order; empty if the operation was cancelled before the first.
    public let attempts: [NetworkAttempt]
    /// The status of the response to the last attempt; nil if none arrived.
    public let status: Int?
    /// The name of the request in the server's log: at most 128 visible ASCII characters. nil if the response has none,
    /// or one that cannot be written to a log as it is.
    public let requestId: String?
    /// nil if a complete response arrived, with any status.
    public let error: NetworkError?
    public let createdAt: Date
    public let endedAt: Date

    public init(_ payload: NetworkPayload) {
        let request = payload.sentRequest
        method = request.method
        url = request.url.redactedText
        sentBytes = request.upload == nil ? Int64(request.body?.count ?? 0) : payload.fileSize ?? 0
        attempts = payload.attempts
        status = payload.response?.status
        requestId = payload.response?.headers["Request-Id"].flatMap { $0.isShortAndVisible ? $0 : nil }
        error = payload.error
        createdAt = payload.createdAt
        endedAt = payload.endedAt ?? payload.attempts.last?.endedAt ?? payload.createdAt
    }

    public var isRepeated: Bool { attempts.count > 1 }

    /// The number of bytes of the bodies of all responses, decompressed.
    public var receivedBytes: Int { attempts.reduce(0) { $0 + $1.receivedBytes } }

    /// The time that the operation waited in the queue, from its creation to the first attempt.
    public var timeInQueue: Duration { createdAt.duration(to: attempts.first?.startedAt ?? endedAt) }

    /// The time from the start of the last attempt to the head of its response, or to the end of a short body that
    /// arrived with it (see `NetworkAttempt.headAt`); nil without a response.
    public var timeToHead: Duration? {
        attempts.last.flatMap { attempt in attempt.headAt.map { attempt.startedAt.duration(to: $0) } }
    }

    /// The time from the creation to the end, with the queue, all attempts and the pauses between them. All times of a
    /// report are differences between dates: they are wrong if the clock was set in the meantime.
    public var duration: Duration { createdAt.duration(to: endedAt) }
}

extension Date {
    fileprivate func duration(to end: Date) -> Duration { .seconds(end.timeIntervalSince(self)) }
}

extension String {
    fileprivate var isShortAndVisible: Bool {
        (1...128).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension URL {
    /// The URL without user, password and fragment, and with `*` for each value of its query.
    var redactedText: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "(hidden)" }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        // An item without a value may be a secret itself.
        parts.percentEncodedQueryItems = parts.percentEncodedQueryItems?.map { item in
            item.value == nil ? URLQueryItem(name: "*", value: nil) : URLQueryItem(name: item.name, value: "*")
        }
        return parts.string ?? "(hidden)"
    }
}
