import KooberScenarios
import KooberTexts
import Testing

/// Each scenario in each architecture and in each language, over a service in memory.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ScenarioTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `each scenario shows its screens`(_ scenario: Scenario, _ architecture: KooberArchitecture) async throws {
        for language in Language.allCases {
            try await scenario.run(
                AppUnderTest(
                    architecture, World(SampleService()), on: TerminalRendering(in: language),
                    opening: scenario.destination))
        }
    }
}
