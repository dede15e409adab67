import Synchronization

/// Keeps retries to a share of the requests, over all that use it, so that a server in trouble is not given more to do.
///
/// A bucket of tokens: a retry takes one, an answer that needs none gives a part of one back.
public final class RetryBudget: Sendable {
    private let capacity: Double
    private let share: Double
    private let tokens: Mutex<Double>

    /// - Parameters:
    ///   - capacity: how many retries may follow each other while nothing succeeds.
    ///   - share: how many retries a success allows, between 0 and 1.
    public init(capacity: Int = 20, share: Double = 0.2) {
        self.capacity = Double(capacity)
        self.share = share
        tokens = Mutex(Double(capacity))
    }

    /// - Returns: false when there is nothing left, so no retry.
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
