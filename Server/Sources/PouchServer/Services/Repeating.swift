import Logging
import PouchDomain

/// The clock for pauses of background work. Tests have their own, so that no real time passes.
protocol RestClock: Sendable {
    /// The time since a fixed moment.
    var elapsed: Duration { get }
    func sleep(for duration: Duration) async throws
}

/// The machine's clock.
struct MachineRestClock: RestClock {
    private let start = ContinuousClock.now

    var elapsed: Duration { start.duration(to: .now) }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// Repeats background work until the task is cancelled. A failure is logged and followed by a growing pause.
///
/// - Parameter name: the work, for the log: "settling orders".
func repeating(
    _ name: String, _ logger: Logger, on clock: any RestClock = MachineRestClock(), _ work: () async throws -> Void
) async {
    var backoff = Backoff()
    while !Task.isCancelled {
        do {
            try await work()
            backoff = Backoff()
        } catch  where Task.isCancelled {
        } catch {
            logger.error("\(name) failed; retrying", metadata: ["error": "\(error)"])
            try? await clock.sleep(for: backoff.next())
        }
    }
}

/// A sleep that other tasks can end.
actor Alarm {
    private let clock: any RestClock
    private var hasRung = false
    private var sleep: Task<Void, any Error>?

    init(on clock: any RestClock = MachineRestClock()) {
        self.clock = clock
    }

    /// Sleeps for a duration; returns early on `ring`, even if it was called since the last sleep, or when the task is
    /// cancelled. Supports one caller at a time.
    func sleep(for duration: Duration) async {
        if !hasRung { await pause(for: duration) }
        hasRung = false
    }

    private func pause(for duration: Duration) async {
        let sleep = Task { [clock] in try await clock.sleep(for: duration) }
        self.sleep = sleep
        await withTaskCancellationHandler {
            _ = await sleep.result
        } onCancel: {
            sleep.cancel()
        }
        self.sleep = nil
    }

    /// Sleeps until `ring`, which may have been called since the last sleep, or until the task is cancelled.
    func wait() async {
        while !hasRung, !Task.isCancelled { await pause(for: .seconds(3_600)) }
        hasRung = false
    }

    func ring() {
        hasRung = true
        sleep?.cancel()
    }
}
