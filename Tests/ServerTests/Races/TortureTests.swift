import ServerTesting
import Testing

@testable import torture

@Suite("Random kills under load", .timeLimit(.minutes(5)))
struct TortureTests {
    @Test func `After twenty kills every charge has an order or a refund, and the stock adds up`() async throws {
        let seed = UInt64.random(in: 1...999_999)
        try await TemporaryFolder.use { folder in
            let outcome = try await Torture(executable: ServerProgram.path, rounds: 20, seed: seed).run(in: folder)
            #expect(outcome.violations.isEmpty, "\(outcome.summary)")
        }
    }
}

@Suite("Kills during rides", .timeLimit(.minutes(5)))
struct RideTortureTests {
    @Test func `After five kills every ride ended with valid status changes, and no kangaroo had two rides at once`()
        async throws
    {
        let seed = UInt64.random(in: 1...999_999)
        try await TemporaryFolder.use { folder in
            let outcome = try await RideTorture(
                executable: ServerProgram.path, riders: 40, kangaroosOfEachSpecies: 5, kills: 5, seed: seed
            ).run(in: folder)
            #expect(outcome.violations.isEmpty, "\(outcome.violations.prefix(10)) \(outcome.summary)")
        }
    }
}
