import PouchDomain

/// Lets whoever moves the city sleep, and wakes it when somebody asks for a ride.
public actor CityAlarm {
    private var hasRung = false
    private var sleep: Task<Void, any Error>?

    public init() {}

    /// Returns after so long; earlier when it rings or has rung since the last sleep, or the task is cancelled. For one
    /// sleeper.
    public func sleep(for duration: Duration) async {
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

    public func ring() {
        hasRung = true
        sleep?.cancel()
    }
}
