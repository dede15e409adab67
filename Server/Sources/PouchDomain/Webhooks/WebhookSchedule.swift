import Foundation
import PouchEntities

/// The times at which a failed delivery is retried, and its end.
public enum WebhookSchedule {
    /// The maximum waits after the first to the ninth failure, in seconds: a delivery has ten attempts within three
    /// days. The actual wait is random up to these, so that the attempts after an outage are spread out.
    public static let waits: [TimeInterval] = [
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 18 * 3600, 22 * 3600,
    ]
    /// The number of the latest requests that a delivery shows.
    static let shownAttempts = 20

    /// - Parameter fraction: a random number from 0 to 1.
    /// - Returns: the seconds after a number of failures; nil if the delivery is abandoned.
    public static func wait(after failures: Int, fraction: Double) -> TimeInterval? {
        zip(1..., waits).first { number, _ in number == failures }.map { $1 * fraction }
    }

    /// The state of a delivery after one more request.
    public static func result(
        of delivery: DueDelivery, _ attempt: WebhookDelivery.Attempt, fraction: Double, at now: Date
    ) -> DeliveryResult {
        let attempts = Array((delivery.attempts + [attempt]).suffix(shownAttempts))
        let isOver = attempt.isSuccess || delivery.webhook.address == nil
        let wait = isOver ? nil : wait(after: delivery.number, fraction: fraction)
        return DeliveryResult(
            id: delivery.id, webhookId: delivery.webhook.id,
            status: attempt.isSuccess ? .delivered : wait == nil ? .failed : .pending, attempts: attempts,
            tries: delivery.number, dueAt: wait.map(now.addingTimeInterval))
    }
}

extension DeliveryResult {
    /// Whether all attempts have failed, the first of them after a time.
    func hasFailed(since time: Date?) -> Bool {
        guard status == .failed, let time, tries >= 1, tries <= attempts.count else { return false }
        // The store rounds times.
        return time <= attempts[attempts.count - tries].at.addingTimeInterval(0.001)
    }
}

extension WebhookDelivery.Attempt {
    /// Redirects are not followed, and count as failures.
    public var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }
    /// Whether the receiver says that it never wants a request again.
    var isGone: Bool { status == 410 }
}
