import SeededRandom
import ServerTesting
import Subprocess
import SystemPackage
import Testing

@testable import torture

@Suite("Random kills under load", .timeLimit(.minutes(10)), .inFolder)
struct TortureTests {
    @Test func `After twenty kills every charge has an order or a refund, and the stock adds up`() async throws {
        let torture = Torture(executable: ServerProgram.path, rounds: 20, seed: TestSeed.first)
        let outcome = try await torture.run(in: TemporaryFolder.current)
        #expect(outcome.violations.isEmpty, "\(outcome.summary)")
    }
}

@Suite("Kills during rides", .timeLimit(.minutes(10)), .inFolder)
struct RideTortureTests {
    @Test func `After five kills every ride ended with valid status changes, and no kangaroo had two rides at once`()
        async throws
    {
        let outcome = try await RideTorture(
            executable: ServerProgram.path, riders: 40, kangaroosOfEachSpecies: 5, kills: 5, seed: TestSeed.first
        ).run(in: TemporaryFolder.current)
        #expect(outcome.violations.isEmpty, "\(outcome.violations.prefix(10)) \(outcome.summary)")
    }
}

/// The program `simulate`, in processes of its own: it takes over all tasks of its process.
@Suite("Simulation of servers with faults", .timeLimit(.minutes(5)), .enabled(if: !TestDatabase.isPostgres))
struct SimulationProcessTests {
    @Test func `Random runs with faults leave consistent charges, orders and stock`() async throws {
        let result = try await simulate(500, seed: TestSeed.first)
        #expect(result.succeeds, "\(result.output)")
    }

    @Test(arguments: ["hold", "refund", "key", "message"])
    func `A planted fault is found`(plant: String) async throws {
        let result = try await simulate(400, seed: 1, "--plant", plant, "--finds")
        #expect(result.succeeds, "\(result.output)")
        #expect(result.output.contains("PLANT=\(plant)"))
    }

    @Test func `A seed gives the same steps in every process`() async throws {
        let first = try await simulate(1, seed: 7)
        let second = try await simulate(1, seed: 7)
        #expect(first.steps.count > 20)
        #expect(first.steps == second.steps)
        #expect(try await simulate(1, seed: 8).steps != first.steps)
    }

    @Test func `A run is the same alone and after other runs`() async throws {
        let both = try await simulate(2, seed: 20, "--trace", "--workers", "1")
        let second = try await simulate(1, seed: 21)
        #expect(second.steps.count > 20)
        #expect(both.steps.suffix(second.steps.count) == second.steps[...])
    }

    private func simulate(_ runs: Int, seed: UInt64, _ options: String...) async throws -> Result {
        let program = BuildFolder.path.appending("simulate")
        let result = try await Subprocess.run(
            .path(program), arguments: Arguments(["\(runs)", "\(seed)"] + options), input: .none,
            output: .string(limit: 4 << 20), error: .discarded)
        return Result(succeeds: result.terminationStatus.isSuccess, output: result.standardOutput)
    }
}

/// The outcome of the program.
private struct Result {
    let succeeds: Bool
    let output: String

    /// The lines of the trace, which begin with the time.
    var steps: [Substring] { output.split(separator: "\n").filter { $0.hasPrefix(" ") && $0.contains(".") } }
}
