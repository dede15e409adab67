import KooberScenarios
import Testing

/// Whether the use cases are all that there is to the app: a program of another kind is made of them alone.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RideCommandLineTests {
    private func expect(_ lines: [(String, String?)], by commandLine: RideCommandLine) async throws {
        for (line, answer) in lines {
            #expect(try await commandLine.run(line) == answer, "\(line)")
        }
    }

    @Test func `somebody signs up, rides, cancels another ride, and signs out`() async throws {
        let service = SampleService()
        let commandLine = RideCommandLine(model: service.model) { await service.timePasses() }
        try await expect(
            [
                ("locate", nil),
                ("launch", "Welcome"),
                ("sign-up Grace grace@example.org hopper", "Hello, Grace"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("go Bondi Beach", nil),
                ("search bondi", "Bondi Beach"),
                ("go Bondi Beach", "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"),
                ("choose wallaroo", "Wallaroo"),
                ("request", "Looking for a kangaroo"),
                ("wait", "You have arrived"),
                ("again", "Where are you?"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("search", "Sydney, Opera House, Bondi Beach, Manly"),
                ("go Manly", "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"),
                ("choose kangaroo", "Kangaroo"),
                ("request", "Looking for a kangaroo"),
                ("cancel", "You cancelled the ride"),
                ("sign-out", "Welcome"),
                ("locate", nil),
            ], by: commandLine)
    }

    @Test func `somebody who is known comes back to the ride that is under way`() async throws {
        let service = SampleService()
        let first = RideCommandLine(model: service.model) {}
        try await expect(
            [
                ("launch", "Welcome"),
                ("sign-in \(service.rider.email) wrong", "The e-mail address or the password is wrong."),
                ("sign-in \(service.rider.email) \(service.rider.password)", "Hello, Johnny"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("search manly", "Manly"),
                ("go Manly", "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"),
                ("choose wallaby", "Wallaby"),
                ("request", "Looking for a kangaroo"),
            ], by: first)
        let second = RideCommandLine(model: service.model) { await service.timePasses() }
        try await expect(
            [
                ("launch", "Hello, Johnny"),
                ("locate", "Looking for a kangaroo"),
                ("wait", "You have arrived"),
            ], by: second)
    }
}
