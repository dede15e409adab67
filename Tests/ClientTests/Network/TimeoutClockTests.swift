import PouchNetwork
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimeoutClockTests {
    private let clock = TimeoutClock()

    @Test func `whoever sleeps wakes at the earliest when it is time, in whatever order they came`() async throws {
        let start = clock.now
        let woken = try await withThrowingTaskGroup(of: Int.self) { group in
            for milliseconds in [60, 20, 40, 1, 0] {
                group.addTask { [clock] in
                    try await clock.sleep(until: start.advanced(by: .milliseconds(milliseconds)))
                    #expect(clock.now >= start.advanced(by: .milliseconds(milliseconds)))
                    return milliseconds
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(woken.sorted() == [0, 1, 20, 40, 60])
    }

    @Test func `a sleep that is cancelled ends at once, and the others go on`() async throws {
        let others = Task { [clock] in try await clock.sleep(for: .milliseconds(20)) }
        for _ in 0..<1_000 {
            let sleep = Task { [clock] in try await clock.sleep(for: .seconds(3_600)) }
            await Task.yield()
            sleep.cancel()
            await #expect(throws: CancellationError.self) { try await sleep.value }
        }
        try await others.value
    }

    @Test func `after an alarm in vain the next sleep has one of its own`() async throws {
        let sleep = Task { [clock] in try await clock.sleep(for: .milliseconds(5)) }
        await Task.yield()
        sleep.cancel()
        _ = await sleep.result
        for _ in 0..<3 { try await clock.sleep(for: .milliseconds(10)) }
    }

    @Test func `nobody who sleeps keeps the clock for longer`() async throws {
        weak var gone: TimeoutClock?
        do {
            let clock = TimeoutClock()
            gone = clock
            let sleep = Task { try await clock.sleep(for: .seconds(3_600)) }
            await Task.yield()
            sleep.cancel()
            _ = await sleep.result
        }
        while gone != nil { await Task.yield() }
    }
}
