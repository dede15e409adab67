import KooberKit
import KooberScenarios
import PouchEntities
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

    // MARK: Trouble

    private static let offer = "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"

    /// The command says that once the world has done what it is about.
    private func expect(
        _ line: String, _ answer: String, by commandLine: RideCommandLine,
        when happens: @MainActor () async throws -> Void
    ) async throws {
        async let said = commandLine.run(line)
        try await happens()
        #expect(try await said == answer, "\(line)")
    }

    private func located(in world: World) async throws -> RideCommandLine {
        try await world.hasSignedIn(world.service.rider)
        let commandLine = RideCommandLine(model: world) {}
        try await expect("launch", "Hello, Johnny", by: commandLine) { try await world.readUserSession.passes() }
        try await expect("locate", "Try again later.", by: commandLine) {
            try await world.activeRide.passes()
            try await world.userLocation.fails()
        }
        try await expect("locate", "You are at -33.8688, 151.2093", by: commandLine) {
            try await world.activeRide.passes()
            try await world.userLocation.passes()
        }
        return commandLine
    }

    private func riding(in world: World) async throws -> RideCommandLine {
        let commandLine = try await located(in: world)
        try await expect("search manly", "Manly", by: commandLine) { try await world.search.passes() }
        try await expect("go Manly", Self.offer, by: commandLine) { try await world.rideOptions.passes() }
        try await expect([("choose wallaby", "Wallaby"), ("choose unicorn", "Wallaby")], by: commandLine)
        try await expect("request", "Try again later. " + Self.offer, by: commandLine) {
            try await world.request.fails()
            try await world.rideOptions.passes()
        }
        try await expect([("choose wallaroo", "Wallaroo")], by: commandLine)
        try await expect("request", "Looking for a kangaroo", by: commandLine) { try await world.request.passes() }
        return commandLine
    }

    @Test func `what fails is done again, with fresh prices`() async throws {
        let world = World(SampleService())
        _ = try await riding(in: world)
        #expect(world.request.asked.map(\.option.id) == ["wallaby", "wallaroo"])
        #expect(world.rideOptions.asked.count == 2)
    }

    @Test func `a ride that is lost is found again`() async throws {
        let world = World(SampleService())
        let commandLine = try await riding(in: world)
        try await expect("wait", "Try again later.", by: commandLine) { try await world.updates.fails() }
        try await expect("wait", "You have arrived", by: commandLine) {
            while !(try await world.updates.passes().status.isFinal) { try await world.service.timePasses() }
        }
    }

    @Test func `somebody looks at their profile, until their session ends elsewhere`() async throws {
        let world = World(SampleService())
        let commandLine = try await located(in: world)
        try await expect([("profile", "Johnny, johnny@example.org, 510-736-8754")], by: commandLine)
        try await expect("stay", "Your session has ended elsewhere.", by: commandLine) {
            try await world.service.endSessions(of: world.service.rider)
            try await world.end.passes()
        }
        try await expect([("profile", nil), ("locate", nil)], by: commandLine)
    }
}
