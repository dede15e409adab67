import KooberScenarios
import Testing

/// Each scenario in each architecture, over a real server.
@MainActor
@Suite(.timeLimit(.minutes(3)))
struct ServedScenarioTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `what the user sees`(_ scenario: Scenario, _ architecture: KooberArchitecture) async throws {
        try await RideServer.open { @MainActor server in
            try await scenario.run(AppUnderTest(architecture, World(ServedRides(server))))
        }
    }
}
