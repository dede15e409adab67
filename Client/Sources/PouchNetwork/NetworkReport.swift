import Foundation
import Synchronization

/// The part of a payload that is meant for logs and metrics. It cannot leak a secret, because it has none: no body, no
/// header field but `Request-Id`, and no user, password, query value or fragment of the URL.
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
    /// nil if a response arrived whole, with any status.
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

    /// The bytes of the bodies of all responses, expanded if they were compressed.
    public var receivedBytes: Int { attempts.reduce(0) { $0 + $1.receivedBytes } }

    /// The time from the creation to the first attempt, in which the operation waited in the queue.
    public var timeInQueue: Duration { createdAt.duration(to: attempts.first?.startedAt ?? endedAt) }

    /// The time from the start of the last attempt to the head of its response; nil without a response.
    public var timeToHead: Duration? {
        attempts.last.flatMap { attempt in attempt.headAt.map { attempt.startedAt.duration(to: $0) } }
    }

    /// The time from the creation to the end, with the queue, all attempts and the pauses between them.
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

// MARK: - Streams

/// The payload of a request whose body the caller reads, reported once: at the end of the body, after an error, or when
/// the caller drops the body.
final class StreamRecord: Sendable {
    private let session: NetworkSession
    private let observe: @Sendable (NetworkReport) -> Void
    /// Whether the end of an attempt is the end of the operation.
    private let isSingle: Bool
    /// nil once it was reported.
    private let payload: Mutex<NetworkPayload?>

    /// nil if no one observes the session.
    init?(_ request: NetworkRequest, in session: NetworkSession, isSingle: Bool) {
        guard let observe = session.options.observe else { return nil }
        self.session = session
        self.observe = observe
        self.isSingle = isSingle
        payload = Mutex(NetworkPayload(request, createdAt: session.now()))
    }

    deinit {
        end(nil)
    }

    func sendsFile(of size: Int64) {
        payload.withLock { $0?.fileSize = size }
    }

    func startAttempt() {
        payload.withLock { payload in
            // A download drops a body that does not continue its file.
            payload?.endLastAttempt(nil, at: session.now())
            payload?.response = nil
            payload?.attempts.append(NetworkAttempt(startedAt: session.now()))
        }
    }

    func headArrived(_ head: StreamedResponse) {
        payload.withLock { payload in
            payload?.response = NetworkResponse(status: head.status, headers: head.headers)
            payload?.changeLastAttempt { $0.headAt = session.now() }
        }
    }

    func received(_ count: Int) {
        payload.withLock { $0?.changeLastAttempt { $0.receivedBytes += count } }
    }

    /// - Parameter error: nil if the body is complete.
    func endAttempt(_ error: NetworkError?) {
        payload.withLock { $0?.endLastAttempt(error, at: session.now()) }
        if isSingle { end(error) }
    }

    /// - Parameter error: nil after a complete body, and if the caller dropped the body.
    func end(_ error: NetworkError?) {
        let ended = payload.withLock { exchange(&$0, with: nil) }
        guard var ended else { return }
        // Without a head the caller gave up before there was a body to drop.
        let error = error ?? (ended.response == nil ? .cancelled : nil)
        ended.endedAt = session.now()
        ended.error = error
        ended.endLastAttempt(error, at: session.now())
        observe(NetworkReport(ended))
    }
}

extension NetworkPayload {
    mutating func changeLastAttempt(_ change: (inout NetworkAttempt) -> Void) {
        guard !attempts.isEmpty else { return }
        change(&attempts[attempts.count - 1])
    }

    /// Has no effect on an attempt that has ended.
    fileprivate mutating func endLastAttempt(_ error: NetworkError?, at date: Date) {
        let status = response?.status ?? 0
        changeLastAttempt { attempt in
            guard attempt.endedAt == nil else { return }
            attempt.endedAt = date
            attempt.outcome = error.map { .failed($0) } ?? .answered(status: status)
        }
    }
}
