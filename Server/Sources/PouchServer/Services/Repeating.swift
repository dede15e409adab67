import Logging
import PouchDomain

/// Repeats background work until the task is cancelled. A failure is logged, and followed by a growing pause.
///
/// - Parameter name: the work, for the log: "settling orders".
func repeating(_ name: String, _ logger: Logger, _ work: () async throws -> Void) async {
    var retry = RetryPause()
    while !Task.isCancelled {
        do {
            try await work()
            retry = RetryPause()
        } catch  where Task.isCancelled {
        } catch {
            logger.error("\(name) failed; retrying", metadata: ["error": "\(error)"])
            try? await Task.sleep(for: retry.next())
        }
    }
}

/// A sleep that others can end.
actor Alarm {
    private var hasRung = false
    private var sleep: Task<Void, any Error>?

    /// Sleeps for a duration; returns early on `ring`, also one since the last sleep, or when the task is cancelled.
    /// Supports one caller at a time.
    func sleep(for duration: Duration) async {
        if !hasRung { await pause(for: duration) }
        hasRung = false
    }

    private func pause(for duration: Duration) async {
        let sleep = Task { try await Task.sleep(for: duration) }
        self.sleep = sleep
        await withTaskCancellationHandler {
            _ = await sleep.result
        } onCancel: {
            sleep.cancel()
        }
        self.sleep = nil
    }

    /// Sleeps until `ring`, also one since the last sleep, or until the task is cancelled.
    func wait() async {
        while !hasRung, !Task.isCancelled { await pause(for: .seconds(3_600)) }
        hasRung = false
    }

    func ring() {
        hasRung = true
        sleep?.cancel()
    }
}
