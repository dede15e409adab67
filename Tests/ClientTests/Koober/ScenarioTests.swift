import KooberScenarios
import Testing

/// Each scenario in each architecture, over a service in memory.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ScenarioTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `each scenario shows its screens`(_ scenario: Scenario, _ architecture: KooberArchitecture) async throws {
        try await scenario.run(AppUnderTest(architecture, World(SampleService())))
    }
}
