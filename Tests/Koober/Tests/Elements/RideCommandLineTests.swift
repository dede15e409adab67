import KooberElements
import KooberKit
import KooberScenarios
import KooberTexts
import PouchEntities
import Testing

/// The use cases hold the whole logic of the app: a command line needs nothing else.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct RideCommandLineTests {
    private static let offer = [
        "Wallaby for \(price(1000))", "Wallaroo for \(price(1500))", "Kangaroo for \(price(2000))",
    ].joined(separator: ", ")
    private static let trouble = Language.english.text(.unreachable)

    private static func price(_ cents: Int64) -> String { Language.english.text(.price(Money(cents, .eur))) }

    private func expect(_ lines: [(String, String?)], by commandLine: RideCommandLine) async throws {
        for (line, answer) in lines { #expect(try await commandLine.run(line) == answer, "\(line)") }
    }

    /// Expects the answer of a command, while the world acts.
    private func expect(
        _ line: String, _ answer: String, by commandLine: RideCommandLine,
        when happens: @MainActor () async throws -> Void
    ) async throws {
        async let said = commandLine.run(line)
        try await happens()
        #expect(try await said == answer, "\(line)")
    }

    @Test func `the user signs up, rides, cancels another ride, and signs out`() async throws {
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
                ("go Bondi Beach", Self.offer),
                ("choose wallaroo", "Wallaroo"),
                ("request", "Looking for a kangaroo"),
                ("wait", "You have arrived"),
                ("again", "Where are you?"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("search", "Sydney, Opera House, Bondi Beach, Manly"),
                ("go Manly", Self.offer),
                ("choose kangaroo", "Kangaroo"),
                ("request", "Looking for a kangaroo"),
                ("cancel", "You cancelled the ride"),
                ("sign-out", "Welcome"),
                ("locate", nil),
            ], by: commandLine)
    }

    @Test func `a signed-in user returns to the ride in progress`() async throws {
        let service = SampleService()
        let first = RideCommandLine(model: service.model)
        try await expect(
            [
                ("launch", "Welcome"),
                ("sign-in \(service.rider.email) wrong", Language.english.text(.wrongCredentials)),
                ("sign-in \(service.rider.email) \(service.rider.password)", "Hello, Johnny"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("search manly", "Manly"),
                ("go Manly", Self.offer),
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

    private func located(in world: World) async throws -> RideCommandLine {
        try await world.hasSignedIn(world.service.rider)
        let commandLine = RideCommandLine(model: world)
        try await expect("launch", "Hello, Johnny", by: commandLine) { try await world.readUserSession.passes() }
        try await expect("locate", Self.trouble, by: commandLine) {
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
        try await expect("request", "\(Self.trouble) \(Self.offer)", by: commandLine) {
            try await world.request.fails()
            try await world.rideOptions.passes()
        }
        try await expect([("choose wallaroo", "Wallaroo")], by: commandLine)
        try await expect("request", "Looking for a kangaroo", by: commandLine) { try await world.request.passes() }
        return commandLine
    }

    @Test func `a failed step is repeated, with new fares`() async throws {
        let world = World(SampleService())
        _ = try await riding(in: world)
        #expect(world.request.asked.map(\.option.id) == ["wallaby", "wallaroo"])
        #expect(world.rideOptions.asked.count == 2)
    }

    @Test func `a ride is followed again after a failure`() async throws {
        let world = World(SampleService())
        let commandLine = try await riding(in: world)
        try await expect("wait", Self.trouble, by: commandLine) { try await world.updates.fails() }
        try await expect("wait", "You have arrived", by: commandLine) {
            while !(try await world.updates.passes().status.isFinal) { try await world.service.timePasses() }
        }
    }

    @Test func `the user looks at the profile until the session ends elsewhere`() async throws {
        let world = World(SampleService())
        let commandLine = try await located(in: world)
        try await expect([("profile", "Johnny, johnny@example.org, 510-736-8754")], by: commandLine)
        try await expect("stay", Language.english.text(.sessionEndedAdvice), by: commandLine) {
            try await world.service.endSessions(of: world.service.rider)
            try await world.end.passes()
        }
        try await expect([("profile", nil), ("locate", nil)], by: commandLine)
    }
}
