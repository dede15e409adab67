import Foundation

/// When a request is sent again, and how long is waited before.
///
/// Only what is safe to repeat is repeated (see `NetworkRequest.isRepeatable`), and only after what may pass: no
/// connection, a lost one, a timeout, the statuses 408, 425, 429, 502, 503 and 504, and whatever says
/// `Should-Retry: true`. `Should-Retry: false` forbids. A request that never left is repeated whatever its method.
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most; 1 means once.
    public var attempts: Int
    /// The pause before attempt n + 1 is drawn between zero and this, doubled n - 1 times (full jitter).
    public var firstPause: Duration
    /// No pause is drawn above this.
    public var longestPause: Duration
    /// An answer that asks for a longer wait in `Retry-After` is final.
    public var longestRetryAfter: Duration
    /// Over all attempts and pauses. A pause that does not fit is not begun, so that what is known then is the end. Cuts
    /// the attempt that is under way, unless its request has no timeout.
    public var deadline: Duration?
    /// Draws a pause between zero and the given one.
    public var jitter: @Sendable (_ longest: Duration) -> Duration

    public static let once = RetryPolicy(attempts: 1, deadline: nil)

    public init(
        attempts: Int = 3,
        firstPause: Duration = .milliseconds(200),
        longestPause: Duration = .seconds(5),
        longestRetryAfter: Duration = .seconds(10),
        deadline: Duration? = .seconds(60),
        jitter: @escaping @Sendable (_ longest: Duration) -> Duration = { $0 * Double.random(in: 0...1) }
    ) {
        self.attempts = attempts
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.longestRetryAfter = longestRetryAfter
        self.deadline = deadline
        self.jitter = jitter
    }

    /// The pause before the next attempt; nil when there is none.
    ///
    /// - Parameters:
    ///   - attempt: the one that has just ended, from 1.
    ///   - elapsed: since the start of the first.
    func pause(
        after ending: Result<NetworkResponse, NetworkError>, of request: NetworkRequest, attempt: Int,
        elapsed: Duration, now: Date
    ) -> Duration? {
        guard attempt < attempts, mayPass(ending), request.isRepeatable || wasNeverSent(ending) else { return nil }
        var pause = backoff(after: attempt)
        if case .success(let response) = ending, let asked = response.headers.retryAfter(now: now) {
            guard asked <= longestRetryAfter else { return nil }
            // Everybody was told the same moment.
            pause = asked + jitter(firstPause)
        }
        if let deadline, elapsed + pause >= deadline { return nil }
        return pause
    }

    /// The pause drawn after so many failures in a row.
    func backoff(after failures: Int) -> Duration {
        jitter(min(longestPause, firstPause * (1 << min(failures - 1, 20))))
    }

    func mayPass(_ ending: Result<NetworkResponse, NetworkError>) -> Bool {
        switch ending {
        case .success(let response):
            switch response.headers["Should-Retry"]?.lowercased() {
            case "true": response.status >= 400
            case "false": false
            default: [408, 425, 429, 502, 503, 504].contains(response.status)
            }
        case .failure(.unreachable), .failure(.connectionLost), .failure(.timedOut): true
        case .failure: false
        }
    }

    private func wasNeverSent(_ ending: Result<NetworkResponse, NetworkError>) -> Bool {
        if case .failure(.unreachable) = ending { true } else { false }
    }
}
