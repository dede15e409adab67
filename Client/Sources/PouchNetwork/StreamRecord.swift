import Foundation
import Synchronization

/// The payload of a request whose body the caller reads, reported once: at the end of the body, after an error, or when
/// the caller releases the body.
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
            // A download discards a body that does not continue its file.
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

    /// - Parameter error: nil after a complete body, or if the caller released the body.
    func end(_ error: NetworkError?) {
        let ended = payload.withLock { exchange(&$0, with: nil) }
        guard var ended else { return }
        // Without a head, the caller gave up before there was a body.
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
