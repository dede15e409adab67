/// A sleep that others can end.
actor Alarm {
    private var hasRung = false
    private var sleep: Task<Void, any Error>?

    /// Sleeps for a duration; returns early on `ring`, also one since the last sleep, or when the task is cancelled.
    /// Supports one caller at a time.
    func sleep(for duration: Duration) async {
        if !hasRung {
            let sleep = Task { try await Task.sleep(for: duration) }
            self.sleep = sleep
            await withTaskCancellationHandler {
                _ = await sleep.result
            } onCancel: {
                sleep.cancel()
            }
            self.sleep = nil
        }
        hasRung = false
    }

    func ring() {
        hasRung = true
        sleep?.cancel()
    }
}

/// The pause before a retry; doubles with each failure in a row, from 250 ms up to 5 s.
struct RetryPause {
    private var last: Duration?

    /// The pause after one more failure.
    mutating func next() -> Duration {
        let pause = last.map { min($0 * 2, .seconds(5)) } ?? .milliseconds(250)
        last = pause
        return pause
    }
}
