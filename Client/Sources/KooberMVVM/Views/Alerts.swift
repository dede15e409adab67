import KooberKit
import KooberScreens

/// Shows errors one at a time, in the order they came.
@MainActor
struct Alerts {
    private var queue: [(error: PendingError, source: ErrorMessages)] = []

    var shown: ErrorNote? {
        queue.first.map { ErrorNote(title: $0.error.message.title, message: $0.error.message.message) }
    }

    /// An error whose source is not there any more has gone with it.
    mutating func update(with sources: [ErrorMessages]) {
        let pending = sources.flatMap { source in source.pending.map { (error: $0, source: source) } }
        queue.removeAll { alert in !pending.contains { $0.error === alert.error } }
        queue += pending.filter { new in !queue.contains { $0.error === new.error } }
    }

    func acknowledgeShown() {
        guard let alert = queue.first else { return }
        alert.source.acknowledge(alert.error)
    }
}
