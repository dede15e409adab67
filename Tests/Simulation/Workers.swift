import Foundation
import Synchronization

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
