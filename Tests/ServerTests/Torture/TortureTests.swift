import Testing

@testable import torture

@Suite("Kills at random moments under load", .timeLimit(.minutes(5)))
struct TortureTests {
    @Test func `After twenty rounds every charge has its order or refund, and stock adds up`() async throws {
        let seed = UInt64.random(in: 1...999_999)
        try await TemporaryFolder.use { folder in
            let outcome = try await Torture(executable: ServerProgram.path, rounds: 20, seed: seed).run(in: folder)
            #expect(outcome.violations.isEmpty, "\(outcome.summary)")
        }
    }
}
