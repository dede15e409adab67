import Testing

@testable import torture

@Suite("Kills while kangaroos are under way", .timeLimit(.minutes(5)))
struct RideTortureTests {
    @Test func `After five kills every ride has ended legally, and nobody was in two places at once`() async throws {
        let seed = UInt64.random(in: 1...999_999)
        try await TemporaryFolder.use { folder in
            let outcome = try await RideTorture(
                executable: ServerProgram.path, riders: 40, kangaroosOfEachSpecies: 5, kills: 5, seed: seed
            ).run(in: folder)
            #expect(outcome.violations.isEmpty, "\(outcome.violations.prefix(10)) \(outcome.summary)")
        }
    }
}
