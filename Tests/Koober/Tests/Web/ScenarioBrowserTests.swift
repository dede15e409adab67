import Foundation
import KooberScenarios
import KooberTexts
import Testing

/// The scenarios on pages, in a browser: each of them once, by turns in each architecture and language; with
/// `KOOBER_BROWSER_RUNS=all`, as in `make test-all`, each in every architecture and language. No other suite runs scenarios
/// on pages: `ServedScenarioTests` runs them on a terminal's rendering, over a server.
@MainActor
@Suite(
    .serialized, .enabled(if: ScriptedBrowser.command != nil, "KOOBER_BROWSER names no command."), InBrowsers(),
    .timeLimit(.minutes(10)))
struct ScenarioBrowserTests {
    private nonisolated static let runs: [(Scenario, KooberArchitecture, [Language])] = {
        let (architectures, languages) = (KooberArchitecture.allCases, Language.allCases)
        guard ProcessInfo.processInfo.environment["KOOBER_BROWSER_RUNS"] == "all" else {
            return Scenario.all.enumerated().map { index, scenario in
                let (turn, architecture) = index.quotientAndRemainder(dividingBy: architectures.count)
                return (scenario, architectures[architecture], [languages[turn % languages.count]])
            }
        }
        return Scenario.all.flatMap { scenario in architectures.map { (scenario, $0, languages) } }
    }()

    @Test(arguments: runs)
    func `each scenario shows its screens in a browser`(
        _ scenario: Scenario, _ architecture: KooberArchitecture, _ languages: [Language]
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for language in languages {
                group.addTask { try await run(scenario, architecture, in: language) }
            }
            try await group.waitForAll()
        }
    }

    private func run(_ scenario: Scenario, _ architecture: KooberArchitecture, in language: Language) async throws {
        let rendering = BrowserRendering(try #require(ScriptedBrowser.shared[language]), in: language)
        defer { rendering.isReleased() }
        try await scenario.run(
            AppUnderTest(architecture, World(SampleService()), on: rendering, opening: scenario.destination))
        #expect(rendering.count > 0)
    }
}

/// Runs a suite with a browser for each language, so that two processors have something to do.
struct InBrowsers: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws { try await open(Language.allCases[...], [:], function) }

    private func open(
        _ languages: ArraySlice<Language>, _ browsers: [Language: ScriptedBrowser],
        _ function: @Sendable () async throws -> Void
    ) async throws {
        guard let language = languages.first else {
            return try await ScriptedBrowser.$shared.withValue(browsers) { try await function() }
        }
        try await ScriptedBrowser.run(try #require(ScriptedBrowser.command)) { browser in
            try await open(languages.dropFirst(), browsers.merging([language: browser]) { $1 }, function)
        }
    }
}
