import Synchronization

/// A clock whose time passes only when a test says so.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let gate = Gate()
    private let time = Mutex(Instant())

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await gate.pass()
        try Task.checkCancellation()
        precondition(now >= deadline, "the test let too little time pass")
    }

    /// Waits for somebody to sleep, then lets the time pass.
    func advance(by duration: Duration) async {
        await gate.held(1)
        time.withLock { $0 = $0.advanced(by: duration) }
        gate.open()
    }
}
