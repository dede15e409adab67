import Foundation
import PouchDomain
import Synchronization
import ToolArguments

/// Runs the real services of a shop in random orders, with faults: `simulate [RUNS [SEED]]`.
@main
struct SimulateProgram {
    static func main() {
        let arguments = ToolArguments.read(
            help: Options.help, flags: ["--finds", "--trace"], options: ["--plant", "--workers", "--worker"],
            words: 0...2)
        let options = ToolArguments.accepting { () throws(ToolArguments.Refusal) in try Options(arguments) }
        do {
            try requireDeterministicHashing()
            if let worker = options.worker {
                try Worker(options).run(from: worker)
            } else {
                exit(try Workers(options).run())
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(64)
        }
    }

    /// Starts the process again where the order of sets and dictionaries would differ from process to process.
    private static func requireDeterministicHashing() throws {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard ProcessInfo.processInfo.environment[name] == nil else { return }
        setenv(name, "1", 1)
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var texts: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        execv(path, &texts)
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOEXEC)
    }
}

struct Options: Sendable {
    static let help = """
        usage: simulate [RUNS [SEED]] [--plant hold|refund|key|message] [--finds] [--workers N] [--trace]

        Runs the services of several servers with buyers, an administrator, a payment provider and faults on one thread
        with virtual time, and compares the books after each run. Run n has the seed SEED + n, on which alone it depends.

          RUNS        the number of runs (1000)
          SEED        the seed of the first run (a random one)
          --plant P   plants a fault: a hold that is not released, a refund that is paid twice, a key that is not kept,
                      a message that is lost
          --finds     exits with 0 if it finds a failure, and with 1 if it finds none
          --workers N the number of processes (those of the machine)
          --trace     prints each step; the default with one run

        Exits with 1 after the first failure, and prints how to repeat it.
        """

    let runs: Int
    let seed: UInt64
    let plant: Plant?
    /// Whether a failure is what the caller wants.
    let finds: Bool
    let workers: Int
    /// The number of this process among the workers; nil in the one that starts them.
    let worker: Int?
    private let traces: Bool

    /// Whether to print each step.
    var isTraced: Bool { traces || runs == 1 }

    init(_ arguments: ToolArguments) throws(ToolArguments.Refusal) {
        func number(_ option: String) throws(ToolArguments.Refusal) -> Int? {
            guard let text = arguments.value(option) else { return nil }
            guard let number = Int(text) else { throw ToolArguments.Refusal(text: "\(text) is not a whole number.") }
            return number
        }
        let numbers = try arguments.numbers()
        runs = max(1, Int(numbers.first ?? 1000))
        seed = numbers.dropFirst().first ?? UInt64.random(in: 1...999_999_999)
        workers = min(max(1, try number("--workers") ?? ProcessInfo.processInfo.activeProcessorCount), runs)
        worker = try number("--worker")
        (finds, traces) = (arguments.has("--finds"), arguments.has("--trace"))
        plant = arguments.value("--plant").flatMap(Plant.init)
        guard plant != nil || arguments.value("--plant") == nil else {
            throw ToolArguments.Refusal(text: "The planted fault is hold, refund, key or message.")
        }
    }

    func arguments(worker: Int) -> [String] {
        ["\(runs)", "\(seed)", "--workers", "\(workers)", "--worker", "\(worker)"]
            + (plant.map { ["--plant", $0.rawValue] } ?? []) + (traces ? ["--trace"] : [])
    }

    /// The command that repeats one run alone.
    func command(seed: UInt64) -> String {
        "make simulate RUNS=1 SEED=\(seed)" + (plant.map { " PLANT=\($0.rawValue)" } ?? "")
    }
}

/// Starts the workers, shows their progress, and reports the first failure.
final class Workers: Sendable {
    private let options: Options
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var runs = 0
        var tally = Tally()
        var failures: [Failure] = []
        var traces: [UInt64: [String]] = [:]
        var shownAt = ContinuousClock.now
    }

    private struct Failure {
        let seed: UInt64
        let violations: [String]
    }

    init(_ options: Options) { self.options = options }

    /// - Returns: the exit status of the program.
    func run() throws -> Int32 {
        let processes = try (0..<options.workers).map(started)
        let threads = DispatchGroup()
        for process in processes { DispatchQueue.global().async(group: threads) { self.follow(process) } }
        threads.wait()
        return report(state.withLock { $0 })
    }

    // MARK: Workers
    /// `@unchecked Sendable`: used by the one thread that follows the process.
    private struct Started: @unchecked Sendable {
        let process: Process
        let output: FileHandle
    }

    private func started(_ number: Int) throws -> Started {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = Bundle.main.executableURL
        process.arguments = options.arguments(worker: number)
        process.standardOutput = pipe
        try process.run()
        return Started(process: process, output: pipe.fileHandleForReading)
    }

    /// Reads the lines of a worker until it ends, or another has found a failure.
    private func follow(_ worker: Started) {
        var rest = Data()
        var current: UInt64?
        while true {
            let data = worker.output.availableData
            if data.isEmpty { break }
            rest += data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = try? JSONDecoder().decode(Worker.Line.self, from: rest[..<end])
                rest = Data(rest[(end + 1)...])
                current = line?.outcome == nil ? line?.seed : nil
                guard let seed = line?.seed, let outcome = line?.outcome else { continue }
                if add(outcome, seed: seed) { return worker.process.terminate() }
            }
        }
        worker.process.waitUntilExit()
        let status = worker.process.terminationStatus
        if status != 0 {
            let failure = Failure(
                seed: current ?? options.seed, violations: ["The process of the run ended with the status \(status)."])
            state.withLock { $0.failures.append(failure) }
        }
    }

    /// - Returns: whether the workers have to end.
    private func add(_ outcome: Worker.Outcome, seed: UInt64) -> Bool {
        state.withLock { state in
            state.runs += 1
            state.tally.add(outcome.tally)
            if !outcome.trace.isEmpty { state.traces[seed] = outcome.trace }
            if !outcome.violations.isEmpty {
                state.failures.append(Failure(seed: seed, violations: outcome.violations))
            }
            show(&state)
            return !state.failures.isEmpty
        }
    }

    // MARK: Output
    private static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Shows the progress: a bar on a terminal, otherwise a line now and then.
    private func show(_ state: inout State) {
        let pause: Duration = Self.isTerminal ? .milliseconds(200) : .seconds(30)
        guard ContinuousClock.now - state.shownAt > pause else { return }
        state.shownAt = .now
        let rate = rate(state.runs)
        let left = (options.runs - state.runs) / max(1, rate)
        let text = "\(state.runs) of \(options.runs) runs, \(rate) a second, \(left) s left"
        guard Self.isTerminal else { return write(text + "\n") }
        let width = 30
        let full = state.runs * width / options.runs
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
        write("\r\u{1b}[K\(bar) \(text)")
    }

    private func rate(_ runs: Int) -> Int {
        Int(Double(runs) / max(0.001, (ContinuousClock.now - start) / .seconds(1)))
    }

    private func report(_ state: State) -> Int32 {
        if Self.isTerminal { write("\r\u{1b}[K") }
        for (_, trace) in state.traces.sorted(by: { $0.key < $1.key }) { print(trace.joined(separator: "\n")) }
        func list(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
        print(
            """
            seed \(options.seed): \(state.runs) runs, \(rate(state.runs)) a second in \(options.workers) processes
            happened: \(list(state.tally.events))
            faults: \(list(state.tally.faults))
            """)
        for failure in state.failures.sorted(by: { $0.seed < $1.seed }) {
            print("\nthe run with the seed \(failure.seed) violates:")
            for violation in failure.violations { print("  - \(violation)") }
            print("repeat it alone with: \(options.command(seed: failure.seed))")
        }
        if state.failures.isEmpty { print("no violations") }
        return state.failures.isEmpty == options.finds ? 1 : 0
    }
}

/// A process that runs every n-th run, and writes a line of JSON about each to its standard output.
struct Worker {
    private let options: Options

    /// A line for the process that started the worker.
    struct Line: Codable {
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
