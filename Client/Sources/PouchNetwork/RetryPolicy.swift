import Foundation
import Synchronization

/// Decides whether a failed request is sent again, and after which pause: only if it is safe to repeat (see
/// `NetworkRequest.isRepeatable`) or was never sent, and only after a temporary failure: no connection, a lost
/// connection, a timeout, or the status 408, 425, 429, 502, 503 or 504. `Should-Retry: true` allows another attempt
/// after any error status, and `Should-Retry: false` forbids one.
///
///     let session = NetworkSession(transport, retries: RetryPolicy(attempts: 5, deadline: .seconds(20)))
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts for a request; 1 means no retry.
    public var attempts: Int
    /// The pause before attempt n + 1 is drawn between zero and this value doubled n - 1 times (full jitter).
    public var firstPause = Duration.milliseconds(200)
    /// The upper bound of a drawn pause.
    public var longestPause = Duration.seconds(5)
    /// A response that asks for a longer wait in `Retry-After` is final.
    public var longestRetryAfter = Duration.seconds(10)
    /// The limit for all attempts and pauses together. A pause that does not fit is not started; the last outcome is
    /// then final. Cuts the running attempt short, unless its request has no timeout.
    public var deadline: Duration?
    /// Draws a pause between zero and the given bound.
    public var jitter: @Sendable (_ longest: Duration) -> Duration = { $0 * Double.random(in: 0...1) }

    /// A single attempt.
    public static let once = RetryPolicy(attempts: 1, deadline: nil)

    public init(attempts: Int = 3, deadline: Duration? = .seconds(60)) {
        self.attempts = attempts
        self.deadline = deadline
    }

    /// The pause before the next attempt; nil if there is no next attempt. Does not consider the deadline. `failures`
    /// is the number of consecutive failed attempts, from 1.
    func pause(
        after outcome: Result<NetworkResponse, NetworkError>, of request: NetworkRequest, failures: Int, now: Date
    ) -> Duration? {
        guard failures < attempts, isTransient(outcome), request.isRepeatable || meansNothingWasSent(outcome) else {
            return nil
        }
        if case .success(let response) = outcome, let asked = response.headers.retryAfter(now: now) {
            // The jitter spreads the clients, which all received the same time from the server.
            return asked <= longestRetryAfter ? asked + jitter(firstPause) : nil
        }
        return jitter(min(longestPause, firstPause * (1 << min(failures - 1, 20))))
    }

    /// Whether the next attempt may succeed.
    func isTransient(_ outcome: Result<NetworkResponse, NetworkError>) -> Bool {
        switch outcome {
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

    private func meansNothingWasSent(_ outcome: Result<NetworkResponse, NetworkError>) -> Bool {
        if case .failure(let error) = outcome { error.meansNothingWasSent } else { false }
    }
}

extension NetworkRequest {
    /// Whether the request only reads (RFC 9110, section 9.2.1).
    package var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Whether sending the request twice is harmless: the method is idempotent (RFC 9110, section 9.2.2), or the server
    /// recognises the request by its `Idempotency-Key`.
    ///
    /// A write with `If-Match` is not repeatable: if the first attempt took effect, the second one fails with 412.
    public var isRepeatable: Bool {
        if let repeatable { return repeatable }
        if headers["Idempotency-Key"] != nil { return true }
        return isSafe || ["PUT", "DELETE"].contains(method) && headers["If-Match"] == nil
    }
}

/// Limits retries to a fraction of the requests that use the budget, to protect a failing server. A retry takes one
/// token from a bucket; a response that needs no retry adds a fraction of one.
public final class RetryBudget: Sendable {
    private let capacity: Double
    private let share: Double
    private let tokens: Mutex<Double>

    /// - Parameters:
    ///   - capacity: the maximum number of consecutive retries while no request succeeds.
    ///   - share: the number of retries that a success allows, between 0 and 1.
    public init(capacity: Int = 20, share: Double = 0.2) {
        self.capacity = Double(capacity)
        self.share = share
        tokens = Mutex(Double(capacity))
    }

    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }

    func deposit() {
        tokens.withLock { $0 = min(capacity, $0 + share) }
    }
}

// MARK: - Retry-After

extension HeaderFields {
    /// The three date formats of RFC 9110, section 5.6.7: the current one, and two obsolete ones that clients must
    /// accept.
    private static let dateFormats = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ]
    private static let longestWait = 1_000_000_000

    /// The wait that the server requests in `Retry-After`, in seconds or as a date; nil if the field is missing
    /// or unreadable, zero for a date in the past.
    public func retryAfter(now: Date) -> Duration? {
        guard let text = self["Retry-After"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(min(Int(text) ?? Self.longestWait, Self.longestWait))
        }
        guard let date = Self.date(text) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(Self.longestWait)))
    }

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in dateFormats {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
