import PouchDomain
import PouchRides
import Testing

@Suite("Alarm of the city", .timeLimit(.minutes(1)))
struct CityAlarmTests {
    private static let hour = Duration.seconds(3_600)

    @Test func `It ends a sleep`() async {
        let alarm = CityAlarm()
        async let slept: Void = alarm.sleep(for: Self.hour)
        await Task.yield()
        await alarm.ring()
        await slept
    }

    @Test func `What rang while nobody slept is not slept through, once`() async {
        let alarm = CityAlarm()
        for _ in 0..<2 { await alarm.ring() }
        await alarm.sleep(for: Self.hour)
        let begun = ContinuousClock.now
        await alarm.sleep(for: .milliseconds(30))
        #expect(begun.duration(to: .now) >= .milliseconds(30))
    }

    @Test func `A sleeper that is cancelled wakes, and so does one that was cancelled before`() async {
        let alarm = CityAlarm()
        let sleeper = Task {
            await alarm.sleep(for: Self.hour)
            await alarm.sleep(for: Self.hour)
        }
        sleeper.cancel()
        await sleeper.value
    }
}
