import Testing

@testable import PouchServer

@Suite("The alarm of background work", .timeLimit(.minutes(1)))
struct AlarmTests {
    private static let hour = Duration.seconds(3_600)

    @Test func `Ringing ends a sleep`() async {
        let alarm = Alarm()
        async let slept: Void = alarm.sleep(for: Self.hour)
        await Task.yield()
        await alarm.ring()
        await slept
    }

    @Test func `Rings before a sleep end the next sleep, once`() async {
        let alarm = Alarm()
        for _ in 0..<2 { await alarm.ring() }
        await alarm.sleep(for: Self.hour)
        let start = ContinuousClock.now
        await alarm.sleep(for: .milliseconds(30))
        #expect(start.duration(to: .now) >= .milliseconds(30))
    }

    @Test func `Cancellation ends a sleep, also one started afterwards`() async {
        let alarm = Alarm()
        let sleeper = Task {
            await alarm.sleep(for: Self.hour)
            await alarm.sleep(for: Self.hour)
        }
        sleeper.cancel()
        await sleeper.value
    }
}
