import Foundation
import PouchDomain

/// A process that runs every n-th run, and writes a line of JSON about each to its standard output.
struct Worker {
    private let options: Options

    /// A line for the process that started the worker.
    struct Line: Codable {
        /// The seed of the run.
        let seed: UInt64
        /// nil at the start of a run.
        var outcome: Outcome?
    }

    struct Outcome: Codable {
        let violations: [String]
        let tally: Tally
        let trace: [String]
    }

    init(_ options: Options) { self.options = options }

    func run(from first: Int) throws {
        try Scheduler.shared.install()
        let connection = try MemoryConnection()
        let merchant = try prepare(connection)
        for number in stride(from: first, to: options.runs, by: options.workers) {
            let seed = options.seed &+ UInt64(number)
            try write(Line(seed: seed))
            try write(Line(seed: seed, outcome: try outcome(seed: seed, connection, merchant)))
        }
    }

    private func prepare(_ connection: MemoryConnection) throws -> Principal {
        /// `@unchecked Sendable`: used on the scheduler's thread only.
        final class Prepared: @unchecked Sendable {
            let connection: MemoryConnection
            var result: Result<Principal, any Error>?
            init(_ connection: MemoryConnection) { self.connection = connection }
        }
        let prepared = Prepared(connection)
        _ = Scheduler.shared.run(seed: 0) {
            do { prepared.result = .success(try await Stage.prepare(prepared.connection)) } catch {
                prepared.result = .failure(error)
            }
        }
        guard let result = prepared.result else { throw Scheduler.Missing() }
        return try result.get()
    }

    private func outcome(seed: UInt64, _ connection: MemoryConnection, _ merchant: Principal) throws -> Outcome {
        try connection.begin()
        let world = World(connection, seed: seed, plant: options.plant, isTraced: options.isTraced)
        let run = Run(world, merchant: merchant)
        let isFinished = Scheduler.shared.run(seed: seed) { await run.play() }
        world.check(isFinished, "The run came to a standstill.")
        try connection.reset()
        return Outcome(violations: world.violations, tally: world.tally, trace: world.trace)
    }

    private func write(_ line: Line) throws {
        let encoder = JSONEncoder()
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(line) + Data("\n".utf8))
    }
}
