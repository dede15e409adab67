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

    /// The pause before the next try; nil when there is none. The deadline is not looked at.
    ///
    /// - Parameters:
    ///   - ending: of the last try.
    ///   - failures: how many tries failed in a row, at least 1.
    func pause(
        after ending: Result<NetworkResponse, NetworkError>, of request: NetworkRequest, failures: Int, now: Date
    ) -> Duration? {
        guard failures < attempts, mayPass(ending), request.isRepeatable || wasNeverSent(ending) else { return nil }
        if case .success(let response) = ending, let asked = response.headers.retryAfter(now: now) {
            // Everybody was told the same moment.
            return asked <= longestRetryAfter ? asked + jitter(firstPause) : nil
        }
        return jitter(min(longestPause, firstPause * (1 << min(failures - 1, 20))))
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
